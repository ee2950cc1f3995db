/** Mail in which every field is an attack. Every view must show it as plain text. */

/** Attacks that a field could try; `url` represents a server that must not receive requests. */
export const attack = (url: string, field: string): string =>
  `${field} "'><img src="${url}?${field}" onerror="window.ran=1"><svg onload=window.ran=1> <script>window.ran=1</script> javascript:window.ran=1 {{7*7}} \${7*7} [x](${url})`;

export function hostileMessage(url: string, index: number): string {
  const payload = (field: string): string => attack(url, `${field}${index}`);
  const quoted = (field: string): string => `"${payload(field).replaceAll(/["\\]/g, "\\$&")}"`;
  return [
    `From eve@crow.example Mon May 14 16:39:0${index} 2001`,
    `From: ${quoted("from")} <eve${index % 3}@crow.example>`,
    `To: ${quoted("to")} <ann@quay.example>, ${quoted("second")} <bob${index}@quay.example>`,
    `Cc: ${quoted("cc")} <cat@quay.example>`,
    `Subject: ${payload("subject")}`,
    `Date: Mon, 1${index} May 2001 10:00:00 +0000`,
    `Message-ID: <m${index}@crow.example>`,
    `X-Gmail-Labels: ${payload("label").replaceAll(",", ";")}`,
    `List-Id: ${quoted("list")} <list.crow.example>`,
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/html; charset=utf-8",
    "",
    `<p>${payload("html")}</p><p>Own text of berth and harbour.</p>`,
    "--b",
    `Content-Type: image/svg+xml; name=${quoted("type")}`,
    `Content-Disposition: attachment; filename=${quoted("file")}`,
    `Content-ID: <${payload("cid").replaceAll(/[<>]/g, "")}>`,
    "",
    `<svg xmlns="http://www.w3.org/2000/svg" onload="fetch('${url}?svg')"/>`,
    "--b",
    "Content-Type: text/calendar; method=REQUEST; charset=utf-8",
    "",
    ...hostileCalendar(url, `mailed${index}`, index),
    "--b--",
    "",
    "",
  ].join("\n");
}

const SUBJECTS = ["berth mooring harbour crane vessel anchor", "invoice payment ledger audit budget account"];

export function plainMessage(url: string, index: number): string {
  const words = SUBJECTS[index % 2]!.split(" ");
  const turned = [...words.slice(index % 6), ...words.slice(0, index % 6)];
  return [
    "From eve@crow.example Mon May 14 16:39:00 2001",
    `From: Person ${index % 9} <p${index % 9}@quay.example>`,
    "To: ann@quay.example",
    `Subject: ${turned.slice(0, 3).join(" ")} ${index}`,
    `Date: Mon, 1${index % 9} May 2001 1${index % 10}:00:00 +0000`,
    `Message-ID: <plain${index}@quay.example>`,
    "",
    `${turned.join(" ")} and the ${turned.reverse().join(" ")}. ${attack(url, "plain")}`,
    "",
    "",
  ].join("\n");
}

export function hostileCalendar(url: string, name: string, day: number): readonly string[] {
  const payload = (field: string): string => attack(url, field).replaceAll(/[\\;,]/g, "\\$&");
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "BEGIN:VEVENT",
    `UID:${name}@crow.example`,
    `DTSTART:2001051${day}T100000Z`,
    `DTEND:2001051${day}T110000Z`,
    `SUMMARY:${payload("summary")}`,
    `LOCATION:${payload("location")}`,
    `DESCRIPTION:${payload("description")}`,
    `CATEGORIES:${payload("category")}`,
    `ORGANIZER;CN="${payload("organizer").replaceAll('"', "'")}":mailto:eve@crow.example`,
    `ATTENDEE;CN="${payload("attendee").replaceAll('"', "'")}":mailto:ann@quay.example`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
}

export function hostileCard(url: string): string {
  const payload = (field: string): string => attack(url, field).replaceAll(/[\\;,]/g, "\\$&");
  return [
    "BEGIN:VCARD",
    "VERSION:3.0",
    `FN:${payload("fn")}`,
    `ORG:${payload("org")}`,
    `TITLE:${payload("title")}`,
    `TEL:${payload("tel")}`,
    `URL:javascript:window.ran=1`,
    `NOTE:${payload("note")}`,
    "EMAIL:eve1@crow.example",
    "END:VCARD",
    "",
  ].join("\r\n");
}

/** All HTML and CSS with which a mail could report that it was read, or lead the reader to another page. */
export function askingHtml(url: string): string {
  const css = `@import url(${url}?import); @import '${url}?import2'; @font-face { font-family: x; src: url(${url}?font) } @namespace url(${url}?ns);
body { background: url("${url}?css") } a[href^="https"] { background: url(${url}?selector) } .x { cursor: url(${url}?cursor), auto; content: url(${url}?content) }
p::before { content: url(${url}?before) } li { list-style: url(${url}?list) } @media print { p { background: url(${url}?print) } } @supports (color:red) { p { border-image: url(${url}?border) } }
p { background: u\\72 l(${url}?escape); background: image-set("${url}?set" 1x); mask: url(${url}?mask); filter: url(${url}?filter#f); width: expression(window.ran=1); --a: url(${url}?variable); background: var(--a) }`;
  return [
    `<html manifest="${url}?manifest"><head><base href="${url}"><meta http-equiv="refresh" content="0;url=${url}?refresh"><meta http-equiv=refresh content="0;url=javascript:window.ran=1">`,
    `<meta http-equiv="Content-Security-Policy" content="default-src *; script-src * 'unsafe-inline'"><meta http-equiv="Set-Cookie" content="a=b">`,
    ...["stylesheet", "prefetch", "dns-prefetch", "preconnect", "preload", "modulepreload", "prerender", "icon"].map(
      (rel) => `<link rel="${rel}" href="${url}?${rel}">`,
    ),
    `<style>${css}</style><style media="screen">${css}</style><script src="${url}?script"></script><script type="speculationrules">{"prerender":[{"urls":["${url}?rules"]}]}</script></head>`,
    `<body background="${url}?body" onload="window.ran=1" style="background:url(${url}?bodystyle)">`,
    `<p>Own text of berth and asking.</p>`,
    `<p style="background-image:url('${url}?style');behavior:url(${url}?behavior)">a</p><p style='background:url&#40;${url}?reference&#41;'>b</p><p style="color:red;}</style><img src=${url}?closed>">c</p>`,
    `<img src="${url}?img" srcset="${url}?srcset 1x, ${url}?srcset2 2x" lowsrc="${url}?lowsrc" dynsrc="${url}?dynsrc" longdesc="${url}?longdesc" usemap="#m" onerror="window.ran=1">`,
    `<img srcset="${url}?srcsetalone 1x"><img src="cid:\\" srcset=${url}?srcsetcid><img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='${url}?svgdata'/></svg>"><img src="data:image/png;base64,AAAA" srcset="${url}?datasrcset"><image src="${url}?image">`,
    `<picture><source srcset="${url}?picture"><img src="${url}?pictureimg"></picture><video src="${url}?video" poster="${url}?poster" autoplay></video><audio src="${url}?audio" autoplay></audio><video><source src="${url}?source"><track src="${url}?track" default></video>`,
    `<iframe src="${url}?iframe"></iframe><iframe srcdoc="&lt;img src=${url}?srcdoc&gt;&lt;script&gt;top.ran=1&lt;/script&gt;"></iframe><frameset><frame src="${url}?frame"></frameset><portal src="${url}?portal"></portal><fencedframe></fencedframe>`,
    `<object data="${url}?object"><embed src="${url}?embed"></object><applet code="${url}?applet"></applet><bgsound src="${url}?bgsound"><xml src="${url}?xml" id=x></xml><isindex action="${url}?isindex">`,
    `<svg onload="window.ran=1"><script>window.ran=1</script><image href="${url}?svgimage" /><use href="${url}?use#a" /><a xlink:href="javascript:window.ran=1"><text>x</text></a><animate attributeName=href values="javascript:window.ran=1" /><foreignObject><img src="${url}?foreign" onerror="window.ran=1"></foreignObject><style>*{background:url(${url}?svgstyle)}</style></svg>`,
    `<math href="javascript:window.ran=1"><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=${url}?mglyph onerror=window.ran=1&gt;"></style></mglyph></table></mtext><annotation-xml encoding="text/html"><img src="${url}?annotation" onerror="window.ran=1"></annotation-xml></math>`,
    `<form action="${url}?form" id=f><input name=q autofocus onfocus="window.ran=1"><input type=image src="${url}?input"><button formaction="${url}?button">Go</button></form><input form=f type=submit>`,
    `<table background="${url}?table"><tr background="${url}?tr"><td background="${url}?td" style="background:url(${url}?tdstyle)">d</td></tr></table>`,
    `<a href="${url}?ping" ping="${url}?pinged" id=x>link</a><a href="javascript:window.ran=1">e</a><a href="data:text/html,<script>window.ran=1</script>">f</a><a href="//${url.slice(7)}?relative">g</a><map name=m><area href="${url}?area" ping="${url}?areaping"></map>`,
    `<details open ontoggle="window.ran=1"><summary>h</summary>i</details><marquee onstart="window.ran=1">j</marquee><dialog open>k</dialog><p popover id=pop style="position:fixed;inset:0;z-index:99">l</p><p style="animation:x 1s" onanimationstart="window.ran=1">m</p>`,
    `<template shadowrootmode="open"><img src="${url}?shadow"><slot></slot></template><noscript><img src="${url}?noscript"></noscript><xmp><img src="${url}?xmp"></xmp><listing><img src=${url}?listing></listing><plaintext><img src="${url}?plaintext">`,
  ].join("\n");
}

/** Characters that reverse or hide text, or resemble others: overrides, zero-width spaces, Cyrillic letters. */
const TURNED =
  "\u202egpj.exe\u202c \u2066\u2067a\u2069 b\u200b\u200dc\u00ad\ufeff \u0430nn \u0000\u0007\u001b[2J \u2028 \ud83d";
/** Names of properties that every JavaScript object has. */
const OWN_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty"] as const;

/** Files with a misleading type, or with names that have a meaning in a header. */
const FILES: readonly (readonly [name: string, type: string, content: string])[] = [
  ["invoice.html", "application/pdf", "%PDF-1.7\n<script>window.ran=1</script>"],
  ["page.pdf", "text/html", "<script>window.ran=1</script>"],
  ["photo.png", "image/png", "<html><script>window.ran=1</script>"],
  ["photo.gif", "image/gif", "GIF89a/*<html><script>*/=1;window.ran=1</script>"],
  ["drawing.svg", "image/png", "<svg xmlns='http://www.w3.org/2000/svg' onload='window.ran=1'/>"],
  ["drawn.svg", "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg' onload='window.ran=1'/>"],
  ["notes.txt", "text/plain", "<html><script>window.ran=1</script>"],
  ["table.csv", "text/csv", "=cmd|'/c calc'!A1,<script>window.ran=1</script>"],
  [
    "feed.xml",
    "application/xhtml+xml",
    "<html xmlns='http://www.w3.org/1999/xhtml'><script>window.ran=1</script></html>",
  ],
  ["part.mht", "multipart/related", "Content-Type: text/html\n\n<script>window.ran=1</script>"],
  ["style.css", "text/css", "* { color: red }"],
  ["worker.js", "text/javascript", "window.ran=1"],
  ["none", "", "<script>window.ran=1</script>"],
  ['a"; filename="b.html', "text/html\r\n ;x=y", "<script>window.ran=1</script>"],
  ["a\r\nSet-Cookie: ran=1\r\n\r\n<script>window.ran=1</script>.html", "text/html", "<script>window.ran=1</script>"],
  ["../../../../etc/passwd", "application/octet-stream", "root"],
  ["C:\\windows\\con.txt", "text/plain", "con"],
  [`photo${TURNED}`, "image/jpeg", "MZ"],
  ["\ud800\udfff\udc00lone", "text/plain", "lone"],
  [`${"long".repeat(2000)}.exe`, "application/x-msdownload", "MZ"],
  ["__proto__", "__proto__/constructor", "x"],
  ["", "", ""],
];

/** A message with reversed text, misleading files, and HTML that requests every kind of resource. */
export function strangeMessage(url: string, index: number): string {
  const own = OWN_NAMES[index % OWN_NAMES.length]!;
  return [
    `From eve@crow.example Tue May 15 16:39:0${index} 2001`,
    `From: ${encodedWord(`${own} ${TURNED}`)} <${own}@\u0430nn.crow\u200b.example>`,
    `Reply-To: ${encodedWord(TURNED)} <ann@quay.example>`,
    `To: ${own} <ann@quay.example>, <${own}@${own}.example>, ${encodedWord(`Ann\u202e`)} <\u0430nn@quay.example>`,
    `Subject: ${encodedWord(`strange ${own} ${TURNED}`)}`,
    `Date: Tue, 1${index} May 2001 10:00:00 +0000`,
    `Message-ID: <${own}/../?#%00${index}@crow.example>`,
    `X-Gmail-Labels: ${own},${encodedWord(TURNED)}`,
    `Keywords: ${own}`,
    `List-Id: ${own} <${own}>`,
    `Content-Language: ${own}`,
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/html; charset=utf-8",
    "",
    askingHtml(url),
    ...FILES.flatMap(([name, type, content]) => [
      "--b",
      ...(type === "" ? [] : [`Content-Type: ${type}`]),
      `Content-Disposition: attachment; filename*=UTF-8''${percentEncoded(name)}`,
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from(content).toString("base64"),
    ]),
    "--b--",
    "",
    "",
  ].join("\n");
}

const encodedWord = (text: string): string => `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`;
const percentEncoded = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** Messages that are large in every way in which a text can be. */
export function hugeMessages(): string {
  const html = (name: string, body: string): string =>
    hugeMessage(name, "text/html", `<p>Own text of ${name}.</p>${body}`);
  return [
    html("nested", `${"<div>".repeat(100_000)}deep${"</div>".repeat(100_000)}`),
    html("quotes", `${"<blockquote>".repeat(20_000)}deep`),
    html("table", `<table>${`<tr>${"<td>x".repeat(40)}`.repeat(4_000)}</table>`),
    html("tables", `${"<table><tr><td>".repeat(20_000)}deep`),
    html("wide", `<p style="width:99999999px;height:99999999px;font-size:99999px">wide</p>`),
    hugeMessage("line", "text/plain", `Own text of line. ${"x".repeat(3_000_000)}`),
    hugeMessage("marks", "text/plain", `Own text of marks. ${`${">".repeat(500)} deep\n`.repeat(2_000)}`),
    hugeMessage("accents", "text/plain", `Own text of accents. ${"e\u0301\u0302\u0303\u0304".repeat(50_000)}`),
  ].join("");
}

function hugeMessage(name: string, type: string, content: string): string {
  return [
    "From eve@crow.example Wed May 16 16:39:00 2001",
    "From: Eve <eve@crow.example>",
    `To: ${Array.from({ length: name === "line" ? 1_100 : 1 }, (_, at) => `p${at}@quay.example`).join(",\n ")}`,
    `Subject: huge ${name}`,
    "Date: Wed, 16 May 2001 10:00:00 +0000",
    `Message-ID: <huge-${name}@crow.example>`,
    "MIME-Version: 1.0",
    `Content-Type: ${type}; charset=utf-8`,
    "Content-Transfer-Encoding: base64",
    "",
    ...(Buffer.from(content)
      .toString("base64")
      .match(/.{1,76}/g) ?? []),
    "",
    "",
  ].join("\n");
}
