/** Listens in a host's own network and hands the listening socket to the program that started it, which can do so in no other way. */
import { createServer } from 'node:net';

const [port] = process.argv.slice(2);
const server = createServer();
server.on('error', (error) => {
  process.stderr.write(error.message);
  process.exit(1);
});
server.listen(Number(port), '127.0.0.1', () => {
  process.send?.('listening', server, {}, () => process.exit());
});
