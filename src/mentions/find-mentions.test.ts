import { describe, expect, it } from "vitest";
import { MENTION_KINDS, type MentionKind } from "../mail/records/mention.ts";
import { REDACTED_TYPES, type RedactedType } from "../mail/records/provenance.ts";
import { redactText } from "../redaction/redact-text.ts";
import { findMentions } from "./find-mentions.ts";
import { omittedKinds } from "./found-mention.ts";

const only = (kind: MentionKind, text: string): readonly string[] =>
  findMentions([text], new Set(MENTION_KINDS.filter((other) => other !== kind))).map((found) => found.slice(1));

describe("phone numbers", () => {
  it.each([
    ["call +1 (415) 555-2671 now", ["+14155552671"]],
    ["Tel. 415.555.2671", ["+14155552671"]],
    ["(415) 555-2671 x12", ["+14155552671"]],
    ["1-415-555-2671", ["+14155552671"]],
    ["London 011 44 20 7946 0958", ["+442079460958"]],
    ["+44 (0)20 7946 0958", ["+442079460958"]],
    ["0049 30 901820", ["+4930901820"]],
    ["order 4155552671", []],
    ["2001-05-14 2671", []],
    ["$415 555 2671", []],
    ["115-555-2671", []],
    ["12.415-555-2671", []],
    ["London: 44 207 946 0958", []],
    ["room 12 (415) 555-2671", ["+14155552671"]],
    ["001 415 555 2671", ["+14155552671"]],
    ["+1 (0)415 555-2671", ["+14155552671"]],
    ["415/ 555.2671 ext. 4", ["+14155552671"]],
    ["Fax:(415)-555-2671", ["+14155552671"]],
    ["fax #415-555-2671", ["+14155552671"]],
    ["(415)5552671", ["+14155552671"]],
    ["415 - 555 - 2671", ["+14155552671"]],
    ["415–555‑2671", ["+14155552671"]],
    ["415\u00a0555\u00a02671", ["+14155552671"]],
    ["415.555.2671x12, 415-555-2672ext3", ["+14155552671", "+14155552672"]],
    ["415-555-2671ann@harbor.example", ["+14155552671"]],
    ["Phone:    4155552671", ["+14155552671"]],
    ["tel:+14155552671", ["+14155552671"]],
    ["011.44.20.7946.0958", ["+442079460958"]],
    ["at 10:415-555-2671", []],
    ["part 415-555-2671A", []],
  ])("%s", (text, numbers) => expect(only("phone", text)).toEqual(numbers));
});

describe("national phone numbers", () => {
  const omitted = new Set(MENTION_KINDS.filter((kind) => kind !== "phone"));
  const written = (author: string, text: string): readonly string[] =>
    findMentions([text], omitted, { signature: "", author }).map((found) => found.slice(1));

  it.each([
    ["ann@harbor.co.uk", "Tel: 020 7946 0958, mobile (07712) 835310", ["+442079460958", "+447712835310"]],
    ["ann@harbor.de", "Tel. 030/901820, Fax 030 / 90 18 21", ["+4930901820", "+4930901821"]],
    ["ann@harbor.fr", "Tél. 01 47 90 26 32", ["+33147902632"]],
    ["ann@harbor.it", "tel 059.343790, cell. 338 1234567", ["+39059343790", "+393381234567"]],
    ["ann@harbor.es", "Tel: 915 55 51 23", ["+34915555123"]],
    ["ann@harbor.nl", "T: 020-794 6095", ["+31207946095"]],
    ["ann@harbor.com.au", "Phone (02) 9374 4000", ["+61293744000"]],
    ["ann@harbor.in", "Mobile: 98240 66305, phone 022-2436 3030", ["+919824066305", "+912224363030"]],
    ["ann@harbor.jp", "TEL 03-6658-4949", ["+81366584949"]],
    ["ann@harbor.com.br", "Fone: (11) 3456-7890", ["+551134567890"]],
    ["ann@harbor.example", "Tel: 020 7946 0958, fax +44 20 7946 0959", ["+442079460959", "+442079460958"]],
    ["ann@harbor.example", "Quay Street, London. Tel: 020 7946 0958", ["+442079460958"]],
    ["ann@harbor.example", "Tel: 020 7946 0958", []],
    ["ann@harbor.co.uk", "order 020 7946 0958", []],
    ["ann@harbor.co.uk", "call 415-555-2671", ["+14155552671"]],
    ["ann@harbor.example", "Call Kai in India at 713-853-5934", ["+17138535934"]],
    ["ann@harbor.in", "Mobile: 9876543210", ["+919876543210"]],
    ["ann@harbor.example", "Mobile: 9876543210", []],
    ["ann@harbor.in", "Mobile: 9725550132", ["+19725550132"]],
    ["ann@harbor.in", "Order 9876543210", []],
    ["ann@harbor.in", "call 415-555-2671", ["+14155552671"]],
    ["ann@harbor.de", "call 2001-05-14 or 01.02.2001", []],
  ])("of %s: %s", (author, text, numbers) => expect(written(author, text)).toEqual(numbers));
});

describe("IBANs", () => {
  it.each([
    ["to DE89 3704 0044 0532 0130 00.", ["DE89370400440532013000"]],
    ["GB82WEST12345698765432", ["GB82WEST12345698765432"]],
    ["DE88 3704 0044 0532 0130 00", []],
  ])("%s", (text, numbers) => expect(only("iban", text)).toEqual(numbers));
});

describe("amounts", () => {
  it.each([
    ["about $1,200.50 today", ["USD 1200.5"]],
    ["$3.5 million", ["USD 3500000"]],
    ["$75 K Cdn per year", ["CAD 75000"]],
    ["The $80 \nmillion project", ["USD 80000000"]],
    ["US$2bn", ["USD 2000000000"]],
    ["€ 1.234,50", ["EUR 1234.5"]],
    ["12.000 EUR", ["EUR 12000"]],
    ["500 dollars", ["USD 500"]],
    ["GBP 40k", ["GBP 40000"]],
    ["between $10-15 million", []],
    ["room 500, 12 people", []],
    ["EURO 2000", []],
    ["rewrite to http://quay/$1 or '$2'", []],
    ["$5/MWh", ["USD 5"]],
    ["the $12\nbillion deal", ["USD 12000000000"]],
    ["$5.75 MILLION", ["USD 5750000"]],
    ["Spends $375 Million", ["USD 375000000"]],
    ["at $5.365 from April", ["USD 5.365"]],
    ["USD 3.285 and 2.125 dollars", ["USD 3.285", "USD 2.125"]],
    ["at $2.22833 or $.00125", ["USD 2.2283", "USD 0.0013"]],
    ["$1.234.567", ["USD 1234567"]],
    ["$5\nMonday", ["USD 5"]],
    ["for $.05 or $.125", ["USD 0.05", "USD 0.125"]],
    ["1.234,56 €", ["EUR 1234.56"]],
    ["1.000,- € or € 100,-", ["EUR 100", "EUR 1000"]],
    ["1\u00a0234,56 EUR", ["EUR 1234.56"]],
    ["CHF 1'000.- and CHF 1’000.50", ["CHF 1000", "CHF 1000.5"]],
    ["SFr. 250.–", ["CHF 250"]],
    ["5 Mio. €, 2,5 Mrd. Euro", ["EUR 5000000", "EUR 2500000000"]],
    ["€ 1,2 Millionen", ["EUR 1200000"]],
    ["$2 mil, $3mln, $1.5 bil and $4 bln", ["USD 2000000", "USD 3000000", "USD 1500000000", "USD 4000000000"]],
    ["USD 5k, USD$500", ["USD 5000", "USD 500"]],
    ["$5.00 CAD or C$6", ["CAD 5", "CAD 6"]],
    ["$5 EUR 10", ["USD 5", "EUR 10"]],
    ["2 million Canadian dollars", ["CAD 2000000"]],
    ["Rs. 1,00,000 or Rs 50,000", ["INR 100000", "INR 50000"]],
    ["₹1,25,000.50 or INR 2.5 crore", ["INR 125000.5", "INR 25000000"]],
    ["¥10,000 or 500 yen", ["JPY 10000", "JPY 500"]],
    ["AU$5m HK$1,000 R$ 1.234,56", ["AUD 5000000", "HKD 1000", "BRL 1234.56"]],
    ["50 zł", ["PLN 50"]],
    ["$1.2\nmil", ["USD 1.2"]],
  ])("%s", (text, found) => expect(only("amount", text)).toEqual(found));
});

describe("sites", () => {
  it.each([
    ["see http://www.kai.co.uk/x?y=1", ["kai.co.uk"]],
    ["www.harbor.com.", ["harbor.com"]],
    ["www.harbor.state.tx.us", ["state.tx.us"]],
    ["http://intranet/x http://10.0.0.1/", []],
    ["mail a@harbor.com", []],
  ])("%s", (text, found) => expect(only("site", text)).toEqual(found));
});

describe("names in capitals", () => {
  it.each([
    ["Dear ANN REED,", ["mAnn Reed"]],
    ["by ANN KAI REED.", ["cAnn Reed"]],
    ["ANN K. REED", ["cAnn Reed"]],
    ["KAI ANN REED", ["mAnn Reed"]],
    ["REED, ANN K", ["fAnn Reed"]],
    ["9:00 REED, ANN", []],
    ["ANN REED ASKS WHY", []],
    ["ANN MAY", []],
    ["HARBOR LINES", []],
    ["ANN REED & CO", []],
    ["x@ANN REED", []],
  ])("%s", (text, found) => expect(findMentions([text], new Set())).toEqual(found));
});

describe("references", () => {
  it.each([
    ["Invoice No. 2001-77 is due", ["invoice 2001-77"]],
    ["PO #48813", ["purchase order 48813"]],
    ["1Z999AA10123456784", ["tracking 1Z999AA10123456784"]],
    ["Request ID\t   : 0000768", ["request 0000768"]],
    ["Order No.   4711-2", []],
    ["case closed in 2001", []],
    ["order number one", []],
  ])("%s", (text, found) => expect(only("reference", text)).toEqual(found));
});

describe("organizations", () => {
  it.each([
    ["All of Kai Energy Trading and Marketing, LLC trades", ["Kai Energy Trading and Marketing, LLC"]],
    ["I met Reed Mooring, Inc. there", ["Reed Mooring, Inc."]],
    ["The Kai & Sons LLC", ["Kai & Sons LLC"]],
    ["by Harbor Lines GmbH", ["Harbor Lines GmbH"]],
    ["the Lower Harbor Authority (LHA) says", ["Lower Harbor Authority (LHA)"]],
    ["the LHA (Lower Harbor Authority)", ["Lower Harbor Authority (LHA)"]],
    ["LHA (the Lower Harbor Authority)", ["Lower Harbor Authority (LHA)"]],
    ["LHA (Lower Harbor Quay)", []],
    ["a Request for Quotes (RFQ)", []],
    ["the company, Inc.", []],
    ["Bo Lund and Harbor Lines Inc", ["Harbor Lines Inc"]],
    ["Copyright 2001 Harbor Lines Inc", ["Harbor Lines Inc"]],
    ["Harbor asks for Limited Rules", []],
    ["from i2 Kai, Inc.", ["i2 Kai, Inc."]],
    ["E*HARBOR Group, Inc.", ["E*HARBOR Group, Inc."]],
    ["by D.R. Lund, Inc.", ["D.R. Lund, Inc."]],
    ["~~North Harbor Lines, Ltd.~~", ["North Harbor Lines, Ltd."]],
    ["Kai Trading - Power, L.P.", []],
    ["Power Station for Harbor AG", ["Harbor AG"]],
    ["Shares of Harbor Corp.", ["Harbor Corp."]],
    ["Bank of Harbor Corp.", ["Bank of Harbor Corp."]],
    ["Houston-based Harbor Corp.", ["Harbor Corp."]],
    ["Jan. 16 Harbor Corp.", ["Harbor Corp."]],
    ["Vice President Harbor Corp.", ["Harbor Corp."]],
    ["CIO Harbor Corp.", ["Harbor Corp."]],
    ["CEO, Harbor Corp.", ["Harbor Corp."]],
    ["04AM EDT 8-JUN-01 HARBOR LINES INC.", ["HARBOR LINES INC."]],
    ["at 09:39 ET HARBOR LINES LTD FILES", ["HARBOR LINES LTD"]],
    ["Once Wild Harbor Inc.", ["Wild Harbor Inc."]],
    ["A CINCO Lines Inc.", ["CINCO Lines Inc."]],
    ["a CRO Lines Ltd.", ["CRO Lines Ltd."]],
    ["Italy's Harbor SpA", []],
    ["Reed and Harbor Inc", []],
    ["Reed, Lund & Kai Inc", []],
    ["HRBR HARBOR LINES INC", ["HARBOR LINES INC"]],
    ["HRBX HARBOR LINES INC", ["HARBOR LINES INC"]],
    ["HRX HARBOR LINES INC", ["HRX HARBOR LINES INC"]],
    ["NYSE: KAI Harbor Lines Inc", ["Harbor Lines Inc"]],
    ["(KAI) Harbor Lines Inc. (NYSE: KAI)", ["Harbor Lines Inc."]],
    ["KAI 5.2 Harbor Lines Inc", ["Harbor Lines Inc"]],
    ["View Upgrades/Downgrades Harbor Inc", []],
    ["Re: Harbor Lines Inc", ["Harbor Lines Inc"]],
    ["via Comtex Harbor AG", ["Harbor AG"]],
    ["Business Wire Harbor Lines Inc", ["Harbor Lines Inc"]],
    ["by Reuters Limited", ["Reuters Limited"]],
    ["Bo Lund and Ann Reed, chairman and head of Kai\nNews & Harbor plc", ["Kai News & Harbor plc"]],
    ["the contract with its former partner the\nHarbor Corp.", ["Harbor Corp."]],
    ["from January to April 10000, Quay 10000\nHarbor Corp.", ["Harbor Corp."]],
    ["from January 2002 to April 2002 Lower Quay 10000\nHarbor Corp.", []],
    ["Harbor Lines Company LLC", ["Harbor Lines Company LLC"]],
    ["Harbor Lines Company, L.L.C.", ["Harbor Lines Company, L.L.C."]],
    ["the Harbor Lines Company", ["Harbor Lines Company"]],
    ["Quay Title Company and a Private Company", ["Quay Title Company"]],
    ["stock symbol HRBR, Company of", []],
    ["Harbor Lines Co. and Kai & Co.", ["Harbor Lines Co.", "Kai & Co."]],
    ["Lund, Reed, Kai & Co.", []],
    ["Harbor Co. OK", []],
    ["Harbor Service Company of Texas", []],
    ["Lower Harbor GmbH & Co. KG, Kai KG", ["Lower Harbor GmbH", "Lower Harbor GmbH & Co. KG", "Kai KG"]],
    [
      "Kai Pty Ltd, Quay S.r.l., Harbor Pvt. Ltd., Lines A/S",
      ["Kai Pty Ltd", "Quay S.r.l.", "Harbor Pvt. Ltd.", "Lines A/S"],
    ],
    ["Quay-backed Harbor Corp.", ["Harbor Corp."]],
    ["the Harbor Corporation Commission", []],
    ["a Harbor Service Provider (HSP)", []],
    ["INDIANAPOLIS-Kai-Lund Corp. said", ["Kai-Lund Corp."]],
    ["=A9 Kai Lines, Inc. and =A9 2001 Harbor Inc.", ["Kai Lines, Inc.", "Harbor Inc."]],
    ["merges with Kai Inc. Harbor Oil Co. to Buy", ["Kai Inc.", "Harbor Oil Co."]],
    ["by Kai Corp. Ltd.", ["Kai Corp.", "Kai Corp. Ltd."]],
    ["Quay-Based Power Plant Company to Continue", []],
    ["Help Quay Become the World's Leading Company", []],
    ["Bank of the Harbor Company", ["Bank of the Harbor Company"]],
  ])("%s", (text, found) => expect(only("org", text)).toEqual(found));
});

describe("organizations of authors", () => {
  const signed = (signature: string, author: string) => findMentions([signature], new Set(), { signature, author });

  it.each([
    ["Ann Reed\nMill Partners\n1 Quay Street", "Ann Reed <ann@millpartners.example>", ["oMill Partners"]],
    ["Trader, Mill Partners | London", "ann@mail.millpartners.co.uk", ["oMill Partners"]],
    ["Mill & Kai Trading - Quay", "ann@mill-kai.example", ["oMill & Kai Trading"]],
    ["Mill-Kai Trading - Quay", "ann@mill-kai.example", ["oMill-Kai Trading"]],
    ["Kai Trading", "Ann Reed <ann@kai.example>", ["oKai Trading"]],
    ["Kaiser Trading", "Ann Reed <ann@kai.example>", []],
    ["Kai Building\nKai Trader\nkai trading", "ann@kai.example", []],
    ["Kai, TX 77002", "ann@kai.example", []],
    ["Ann Reed", "Ann Reed <ann@annreed.example>", []],
    ["Gmail Team", "ann@gmail.com", []],
    ["Ab Lines", "ann@ab.example", []],
    ["Kai Lines", "nobody", []],
  ])("%j of %s", (signature, author, found) =>
    expect(signed(signature, author).filter((one) => one[0] === "o")).toEqual(found),
  );
});

describe("names", () => {
  it.each([
    ["ask Ann Reed please", ["Ann Reed"]],
    ["Reed, Ann", ["Ann Reed"]],
    ["Ann B. Reed", ["Ann Reed"]],
    ["Ann B Reed", ["Ann Reed"]],
    ["by B Reed", []],
    ["Ann A Reed", []],
    ["Ann B REED", []],
    ["A. Reed", ["A. Reed"]],
    ["Ms. Reed", ["Reed"]],
    ["per A.Reed today", ["A. Reed"]],
    ["Ann Reed/ Training", ["Ann Reed"]],
    ["Ann Reed/HOU", []],
    ["J.S. Reed", []],
    ["see x.Reed Lund", []],
    ["J. Ann Reed", ["J. Ann"]],
    ["New Reed", []],
    ["ann reed", []],
    ["Ann\nReed", []],
    [`${"all ".repeat(15)}of Ann\nReed and of Bo\r\nLund`, ["Ann Reed"]],
    ["talk w/Ann Reed", ["Ann Reed"]],
    ["Quay--Ann Reed--415", ["Ann Reed"]],
    ["x/Ann Reed", []],
    ["Ann Reed/Vacation", ["Ann Reed"]],
    ["Ann Reed/Kai Lund", ["Ann Reed", "Kai Lund"]],
    ["Ann Reed/Harbor Lines@KAI, Bo Lund/Harbor/Kai", []],
    ["per Ann St. Clair", ["Ann St\u00a0Clair", "St Clair"]],
    ["Ann Van Horn", ["Ann Van\u00a0Horn", "Van Horn"]],
    ["Van Horn, Ann", ["Ann Van\u00a0Horn", "Van Horn"]],
    ["ask Ann Hall", ["Ann Hall"]],
    ["Ann January is here", ["Ann January"]],
    ["ask Jan Reed or Will Lund", ["Jan Reed", "Will Lund"]],
    ["Harbor Hall", []],
  ])("%j", (text, found) => expect(only("mentions", text)).toEqual(found));
});

describe("names of people who are not contacts", () => {
  const names = (text: string) => findMentions([text], new Set(MENTION_KINDS.filter((kind) => kind !== "mentions")));

  it.each([
    ["ask Ann Reed please", "wAnn Reed"],
    ["Senator Ann B. Reed’s bill", "wAnn Reed"],
    ["Mr. Peter Lund", "wPeter Lund"],
    ["Ann Reed, CEO", "wAnn Reed"],
    ["Ann Reed and Associates", "bAnn Reed"],
    ["Peter Lund LLP", "bPeter Lund"],
    ["Peter Reed Lund", "bPeter Reed"],
    ["Ann Reed Foundation", "bAnn Reed"],
    ["ask Mary Ann Reed", "wMary\u00a0Ann Reed"],
    ["Jean Pierre Martin", "wJean\u00a0Pierre Martin"],
    ["Mary Ann Reed Foundation", "bMary\u00a0Ann Reed"],
    ["ask Ann Kai Reed", "cAnn Reed"],
    ["ask Rod Lund", "wRod Lund"],
    ["San Jose Lines by Patrice Reed", "wPatrice Reed"],
  ])("%s", (text, found) => expect(names(text)).toContain(found));

  it.each([
    "OceanTech Fair",
    "Harbor Fair",
    "Peter Fair",
    "San Jose Lines",
    "Jan Crude",
    "Charlotte Fair",
    "the Peter Lund account",
    "Peter Lund DVD",
    "San Antonio Spurs",
    "Peter Pay",
    "Peter Tuesday",
    "Mary Ann",
    "Raymond James upgraded",
    "Eugene Harbor & Electric Board",
    "Lund & Peter Reed",
    "St. Peter Harbor",
  ])("not in %s", (text) => expect(names(text).filter((found) => found[0] === "w")).toEqual([]));
});

describe("redacted text", () => {
  const TEXTS: Readonly<Record<RedactedType, readonly [text: string, mention: string]>> = {
    email: ["see http://ann@harbor.com/", "sharbor.com"],
    phone: ["call (415) 555-2671 or +44 20 7946 0958", "p+14155552671"],
    ssn: ["case no. 219-09-9999", "rcase 219-09-9999"],
    credit_card: ["account number 4111-1111-1111-1111", "raccount 4111-1111-1111-1111"],
    ip: ["ticket no. 198.51.100.23", "rticket 198.51.100.23"],
    iban: ["to DE89 3704 0044 0532 0130 00", "iDE89370400440532013000"],
    word: ["by Harbor Lines GmbH", "oHarbor Lines GmbH"],
  };

  it.each(REDACTED_TYPES)("contains no mention of redacted %s", (type) => {
    const [text, mention] = TEXTS[type];
    expect(findMentions([text], new Set())).toContain(mention);
    const redacted = redactText(text, new Set([type]), type === "word" ? ["Harbor Lines"] : []);
    expect(redacted.counts[type]).toBeGreaterThan(0);
    expect(findMentions([redacted.text], omittedKinds([type]))).toEqual([]);
  });

  it("shares no kind with a redacted type", () => {
    for (const type of ["phone", "iban"] as const)
      expect(findMentions([TEXTS[type][0]], omittedKinds([type]))).toEqual([]);
  });
});

it("finds each value once, in all texts, and none of omitted kinds", () => {
  const texts = ["$5 and $5.00, 415-555-2671", "$7"];
  expect(findMentions(texts, new Set(["phone"]))).toEqual(["aUSD 5", "aUSD 7"]);
});

it("reads hostile texts to their end", () => {
  for (const piece of [
    "A ",
    "A. ",
    "1 ",
    "(1",
    "$1,",
    "1,00,",
    "4155552671 ",
    "415 - ",
    "Inc ",
    "www.",
    "DE89 ",
    "Ab, ",
    "Van ",
    "Ab\n",
    "AB (Ab ",
    "ANN ",
    "ANN, ",
  ])
    expect(findMentions([piece.repeat(50_000)], new Set()).length).toBeLessThan(10);
});
