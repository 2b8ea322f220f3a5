import { DARK, LIGHT, type Theme } from '../colors.ts';

const variables = (theme: Theme, scheme: string, soft: string, good: string): string =>
  `color-scheme:${scheme};--paper:${theme.paper};--ink:${theme.ink};--muted:${theme.muted};--line:${theme.line};` +
  `--edge:color-mix(in srgb,${theme.ink} 30%,transparent);--right:${theme.right};--wrong:${theme.wrong};--soft:${soft};--good:${good}`;
const light = variables(LIGHT, 'light', '#f5f6f7', '#17693c');
const dark = variables(DARK, 'dark', '#1a1d21', '#6fd39b');

/** Style sheet of report.html. Colors of cells are mixed from the theme's variables, so that one markup serves both themes. */
export const PAGE_STYLE = `
:root{${light}}
@media (prefers-color-scheme:dark){:root{${dark}}}
@media print{:root{${light}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 Inter,system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-variant-numeric:tabular-nums}
main,header,footer{max-width:1120px;margin:0 auto;padding:0 28px}
header{padding-top:44px}
h1{font-size:15px;font-weight:600;margin:0;letter-spacing:.01em;overflow-wrap:anywhere}
h2{font-size:22px;line-height:1.25;font-weight:650;margin:0 0 4px;letter-spacing:-.01em;text-wrap:balance}
h3{font-size:14px;font-weight:600;margin:0 0 10px}
.figures+h3,.scroll+h3,p+h3{margin-top:28px}h3 .muted{font-weight:400}
section{padding:44px 0 0}
p{margin:0 0 12px;max-width:70ch}
.lead{color:var(--muted);margin-bottom:20px}
.muted{color:var(--muted)}
.key,code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace;font-size:.86em;overflow-wrap:anywhere}
.skip{position:absolute;left:-999em}.skip:focus{left:28px;top:8px;background:var(--paper);padding:4px 8px}
a{color:var(--right)}a:not([href]){color:inherit}
:focus-visible{outline:2px solid var(--right);outline-offset:2px}
.kicker{display:flex;flex-wrap:wrap;gap:6px 14px;align-items:baseline;color:var(--muted);font-size:14px}
.kicker h1{color:var(--ink)}
.pill{font-size:13px;font-weight:600;padding:1px 9px;border-radius:99px;border:1px solid currentColor;white-space:nowrap}
.good{color:var(--good)}.bad{color:var(--wrong)}
.headline{display:grid;grid-template-columns:minmax(300px,5fr) minmax(280px,4fr);gap:28px 56px;padding:22px 0 30px;border-bottom:1px solid var(--line);align-items:start}
.accuracy{font-size:84px;line-height:1;font-weight:680;letter-spacing:-.035em;margin:0}
.accuracy small{font-size:.5em;font-weight:500;letter-spacing:0;color:var(--muted);margin-left:.12em}
.accuracy.ended{font-size:56px;color:var(--wrong)}
.accuracy-note{margin:8px 0 14px;color:var(--muted)}
.scale{display:block;width:100%;height:auto;overflow:visible}
.facts{display:grid;grid-template-columns:repeat(2,1fr);gap:18px 28px;margin:0}
.facts dt{font-size:13px;color:var(--muted)}
.facts dd{margin:0;overflow-wrap:anywhere;font-size:21px;font-weight:600;line-height:1.25;letter-spacing:-.01em}
.facts dd small{display:block;font-size:13px;font-weight:400;color:var(--muted);letter-spacing:0}
.verdict{grid-column:1/-1;margin:0;overflow-wrap:anywhere;padding:10px 14px;background:var(--soft);border-left:3px solid var(--muted);border-radius:0 4px 4px 0;max-width:none}
.verdict.good{border-color:var(--good)}.verdict.bad{border-color:var(--wrong)}.verdict b{font-weight:650}.verdict span{color:var(--ink)}
.alarm{border-left:4px solid var(--wrong);background:var(--soft);padding:16px 20px;border-radius:0 6px 6px 0;margin:24px 0 0}
.alarm p{margin:4px 0;max-width:90ch;overflow-wrap:anywhere;white-space:pre-line}.alarm .what{font-weight:600;font-size:18px}
.alarm ol{margin:10px 0 0;padding-left:22px}.alarm li{margin:4px 0;overflow-wrap:anywhere}
.columns{display:grid;grid-template-columns:minmax(0,1fr) 290px;gap:28px 44px;align-items:start}
.halves{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:28px 56px;align-items:start}
.curves{display:grid;grid-template-columns:repeat(2,minmax(0,1fr)) 290px;gap:28px 36px;align-items:start}.curves table+table{margin-top:18px}.curves .list th{font-weight:400;white-space:normal}#thresholds{overflow-wrap:anywhere}.curves>div{min-width:0}.curves .list{table-layout:fixed}.curves .list tr>:nth-child(2):last-child{width:40%}
.slider{display:flex;flex-wrap:wrap;gap:4px 14px;align-items:center;max-width:none}.slider input{flex:1 1 260px;accent-color:var(--right)}.slider[hidden]{display:none}
.controls{display:flex;flex-wrap:wrap;gap:8px 22px;align-items:center;margin:0 0 12px;font-size:14px}
fieldset{border:0;padding:0;margin:0;display:flex;flex-wrap:wrap;align-items:center;gap:2px;min-width:0}
legend{float:left;color:var(--muted);margin-right:8px;padding:0}
.controls label{cursor:pointer;white-space:nowrap;padding:2px 9px;border-radius:99px;border:1px solid transparent}
.controls input[type=radio]{position:absolute;opacity:0;width:1px;height:1px}
.controls label:has(input:checked){background:var(--ink);color:var(--paper)}
.controls label:hover:not(:has(input:checked)){border-color:var(--line)}
.controls label:has(:focus-visible){outline:2px solid var(--right);outline-offset:1px}
.controls button,.controls input[type=search]{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:6px;padding:2px 10px;min-width:0}
.controls input[type=search]{width:170px}.controls output{color:var(--wrong)}
.readout{min-height:3em;font-size:14px;margin:10px 0 0;color:var(--muted)}.readout b{color:var(--ink);font-weight:600}
.scroll{overflow:auto;max-width:100%;background:linear-gradient(to right,var(--paper) 40%,transparent) left/36px 100% local,linear-gradient(to left,var(--paper) 40%,transparent) right/36px 100% local,radial-gradient(farthest-side at 0 50%,var(--edge),transparent) left/12px 100% scroll,radial-gradient(farthest-side at 100% 50%,var(--edge),transparent) right/12px 100% scroll;background-repeat:no-repeat}
@media (max-width:900px){.scroll .list :is(td,th):first-child,.matrix th[scope=row]{position:sticky;left:0;background:var(--paper);z-index:2}.matrix th[scope=row]{max-width:96px}}
.matrix{border-collapse:separate;border-spacing:1px;font-size:12.5px;line-height:1;margin:0}
.matrix caption{white-space:nowrap;text-align:left;color:var(--muted);padding-bottom:6px;font-size:13px}
.matrix th{font-weight:400;padding:0 8px 0 0;text-align:right;max-width:170px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.matrix thead th{padding:0 0 6px;text-align:center;vertical-align:bottom;max-width:none}
.matrix.tall thead th span{writing-mode:vertical-rl;rotate:180deg;max-height:150px;overflow:hidden;display:inline-block;text-overflow:ellipsis}
.matrix td{width:var(--cell);height:var(--cell);min-width:var(--cell);text-align:center;padding:0;border-radius:2px;background:color-mix(in srgb,var(--hue) calc(var(--v)*100%),var(--paper));--hue:var(--wrong);cursor:default}
.matrix td.r{--hue:var(--right)}
.matrix td.lit{outline:2px solid var(--ink);outline-offset:0;z-index:1;position:relative}
.matrix th.lit{font-weight:650}
.matrix td{color:#000}.matrix td.il{color:#fff}
@media (prefers-color-scheme:dark){.matrix td,.matrix td.il{color:#fff}.matrix td.id{color:#000}}
@media print{.matrix td,.matrix td.id{color:#000}.matrix td.il{color:#fff}}
.plane{position:relative;width:100%;max-width:820px}
.plane canvas,.plane img{display:block;width:100%;height:auto;aspect-ratio:1;image-rendering:pixelated;cursor:crosshair}
.legend{display:flex;flex-wrap:wrap;gap:6px 26px;font-size:12.5px;color:var(--muted);margin-top:12px;align-items:center}
.legend i{display:inline-block;width:96px;height:9px;border-radius:2px;margin:0 6px;vertical-align:baseline}
.pairs{list-style:none;margin:0;padding:0;font-size:14px}
.pairs li{padding:7px 0;border-top:1px solid var(--line);display:grid;grid-template-columns:minmax(0,1fr) auto;gap:2px 12px;overflow-wrap:anywhere}
.pairs b{font-weight:600}.pairs .bar{grid-column:1/-1}
.pairs button{font:inherit;color:inherit;background:none;border:0;padding:0;text-align:left;cursor:pointer}.pairs button:hover{text-decoration:underline}
#exemplars>p:first-child{margin:0 0 6px;display:flex;gap:8px}#exemplars button:last-child{margin-left:auto}#exemplars button:disabled{opacity:.45;cursor:default}#exemplars button{font:inherit;font-size:13px;color:inherit;background:none;border:1px solid var(--line);border-radius:6px;padding:2px 10px;cursor:pointer}#exemplars h3{margin:0;padding-top:4px;overflow-wrap:anywhere}#exemplars .gallery{grid-template-columns:repeat(3,minmax(0,1fr));gap:14px 10px;font-size:12px;clear:both}#exemplars .frame{padding:3px}.opens td:not(:empty){cursor:pointer}
.bar{display:block;height:4px;border-radius:2px;background:linear-gradient(var(--hue,var(--wrong)) 0 0) 0/var(--v) 100% no-repeat var(--soft)}
#predicted-table{max-width:640px}#predicted-table th:first-child{width:99%}#predicted-table .bar{--hue:var(--right);margin-top:4px}
table.list{border-collapse:collapse;width:100%;font-size:14px}
.list th,.list td{text-align:right;padding:5px 8px;border-bottom:1px solid var(--line);white-space:nowrap}
.list th:first-child,.list td:first-child,.list .text,:is(#class-table,#slice-table) :is(th,td):nth-child(3){text-align:left}
.list .wrap{white-space:normal;overflow-wrap:anywhere;min-width:180px}
.list td:first-child,.list th:first-child{padding-left:0}
.list thead th{position:sticky;top:0;background:var(--paper);font-weight:600;font-size:13px;vertical-align:bottom;z-index:1}
.list thead button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer}
.list thead [aria-sort] button::after{content:' ↕';color:var(--muted)}.list thead [aria-sort=ascending] button::after{content:' ↑';color:inherit}.list thead [aria-sort=descending] button::after{content:' ↓';color:inherit}
.tall-list{max-height:640px;border-bottom:1px solid var(--line)}
.strip{display:inline-block;position:relative;width:120px;height:12px;margin-left:10px;vertical-align:-1px;background:linear-gradient(var(--line) 0 0) 0 50%/100% 1px no-repeat}
.strip::before{content:'';position:absolute;left:var(--a);width:calc(var(--b) - var(--a));top:4px;height:4px;border-radius:2px;background:color-mix(in srgb,var(--right) 38%,var(--paper))}
.strip::after{content:'';position:absolute;left:calc(var(--p) - 3px);top:2px;width:7px;height:7px;border-radius:50%;background:var(--right)}
.plot{display:block;width:100%;height:auto;font-size:12px;overflow:visible}
.plot text,.scale text{fill:var(--muted)}.plot .strong,.scale .strong{fill:var(--ink);font-weight:600}
.axis{stroke:var(--line);stroke-width:1}.rule{stroke:var(--muted);stroke-dasharray:3 3;fill:none}
.fr{fill:var(--right)}.fw{fill:var(--wrong)}.sr{stroke:var(--right)}
.gallery{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:22px 18px;list-style:none;margin:0;padding:0;font-size:13px}
.gallery .frame{display:flex;align-items:center;justify-content:center;aspect-ratio:1;background:var(--soft);border-radius:6px;overflow:hidden;margin-bottom:8px;padding:8px;text-align:center}
.gallery img{max-width:100%;max-height:100%;width:100%;height:100%;object-fit:contain}
.gallery img.tiny{image-rendering:pixelated}
.gallery p{margin:0;line-height:1.35;overflow-wrap:anywhere}.gallery .key{font-size:11.5px;color:var(--muted)}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:0 44px;margin:0}
.figures div{display:flex;justify-content:space-between;gap:16px;padding:7px 0;border-top:1px solid var(--line);align-items:baseline}
.figures dt{color:var(--muted);font-size:14px}.figures dd{margin:0;font-weight:600;text-align:right;overflow-wrap:break-word}.figures dd small{font-weight:400;color:var(--muted);font-size:13px}
.receipt{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:5px 24px;margin:0 0 24px;font-size:14px}
.receipt dt{color:var(--muted)}.receipt dd{margin:0;overflow-wrap:anywhere}
.notes{margin:14px 0 0;padding-left:20px;font-size:14px}.notes li{margin:3px 0;max-width:90ch;overflow-wrap:anywhere}
details summary{cursor:pointer;font-size:14px;margin-top:14px}
footer{padding:56px 28px 44px;color:var(--muted);font-size:13px}
@media (max-width:900px){.columns,.halves,.curves,.headline{grid-template-columns:minmax(0,1fr)}.accuracy{font-size:64px}main,header,footer{padding-left:18px;padding-right:18px}.strip{width:90px}}
@media print{body{font-size:11pt}#exemplars button,.controls,.slider,.skip,.readout{display:none}section{break-inside:avoid-page;padding-top:24px}.scroll{overflow:visible;background:none}.tall-list{max-height:none}.list thead th{position:static;font-size:8pt}table.list{font-size:8pt}.list th,.list td{padding:3px 5px}.list .wrap{min-width:80px}.list thead [aria-sort] button::after{content:none}.strip{width:60px}.list svg{width:110px}.halves{grid-template-columns:repeat(2,minmax(0,1fr))}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;
