#!/usr/bin/env node
import { runInferdrop } from '../scripts/bootstrap.mjs';

process.exitCode = await runInferdrop(process.argv.slice(2), { cwd: process.cwd() });
