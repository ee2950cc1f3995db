import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_PII_TYPES, NO_REDACTIONS, PII_TYPES, type PiiType } from "../mail/records/provenance.ts";
import { redactText } from "./redact-text.ts";

const ALL: ReadonlySet<PiiType> = new Set(PII_TYPES);
const redact = (text: string): string => redactText(text, ALL).text;

/** Numbers of all layouts that begin with 0 or a parenthesis. */
const LISTED_NUMBERS = [
  ...["0171 5550101", "0171 555 0101", "01 23 45 67 89", "0487 23 46 71", "08 123 45 67", "(07) 5331 0577"],
  ...["(11) 4706-6184", "0033 1 23 45 67 89", "00 44 20 7946 0958", "011 49 30 123456"],
];

/** Texts, and their redacted form in the second column. Numbers and names are fictional. */
const REDACTED: readonly (readonly [text: string, expected: string])[] = [
  ["Write to ann.lee+news@mail.example.org.", "Write to [REDACTED:email]."],
  ["<ann@example.org>, 'bob@example.org'", "<[REDACTED:email]>, '[REDACTED:email]'"],
  ["mailto:ann@example.org?subject=x", "mailto:[REDACTED:email]?subject=x"],
  ['"ann lee"@example.org', "[REDACTED:email]"],
  ["ann@[192.0.2.7]", "[REDACTED:email]"],
  ["用户@例子.公司 und müller@straße.example", "[REDACTED:email] und [REDACTED:email]"],
  ["请联系ann@example.org谢谢", "请联系[REDACTED:email]谢谢"],
  ["5551234567@sms.example.org", "[REDACTED:email]"],
  ["My SSN is 219-09-9999.", "My SSN is [REDACTED:ssn]."],
  ["ssn: 219099999", "ssn: [REDACTED:ssn]"],
  ["card 4111 1111 1111 1111, exp 12/27", "card [REDACTED:credit_card], exp 12/27"],
  ["4111-1111-1111-1111", "[REDACTED:credit_card]"],
  ["378282246310005 and 3782 822463 10005", "[REDACTED:credit_card] and [REDACTED:credit_card]"],
  ["Received: from mx ([192.0.2.1]:25)", "Received: from mx ([[REDACTED:ip]]:25)"],
  ["192.0.2.1/24 192.0.2.1@eth0", "[REDACTED:ip]/24 [REDACTED:ip]@eth0"],
  ["at 2001:db8::8a2e:370:7334, port 80", "at [REDACTED:ip], port 80"],
  ["fe80::1ff:fe23%eth0 and ::ffff:192.0.2.128.", "[REDACTED:ip] and [REDACTED:ip]."],
  ["IBAN DE89 3704 0044 0532 0130 00.", "IBAN [REDACTED:iban]."],
  ["IBAN:DE89370400440532013000,GB82WEST12345698765432", "IBAN:[REDACTED:iban],[REDACTED:iban]"],
  ["de89 37040044 0532013000; nl91-abna-0417-1643-00", "[REDACTED:iban]; [REDACTED:iban]"],
  ["::FR14 2004 1010 0505 0001 3M02 606 MT84MALT011000012345MTLCAST001S", "::[REDACTED:iban] [REDACTED:iban]"],
  ["(NO93 8601 1117 947) 713-555-0123", "([REDACTED:iban]) [REDACTED:phone]"],
  ["call (713) 555-0123 x45 today", "call [REDACTED:phone] today"],
  ["713.555.0123 or 713/555-0123", "[REDACTED:phone] or [REDACTED:phone]"],
  ["(call me: 713-555-0123)", "(call me: [REDACTED:phone])"],
  ["Ann Reed713-555-0123And Bo", "Ann Reed[REDACTED:phone]And Bo"],
  ["part x713-555-0123 or 713-555-0123AB", "part x713-555-0123 or 713-555-0123AB"],
  ["+44 (0) 20 7946 0958", "[REDACTED:phone]"],
  ["Phone: 0431 19 97 94", "Phone: [REDACTED:phone]"],
  ["Phone: 02.27.96.63.08", "Phone: [REDACTED:phone]"],
  ["555 0123 office", "[REDACTED:phone] office"],
  ["Tel:713-555-0123, 12:4111111111111111", "Tel:[REDACTED:phone], 12:[REDACTED:credit_card]"],
  ["电话：010 6552 9988", "电话：[REDACTED:phone]"],
  [
    "Server 198.51.100.23, driver 198.51.100.24, Denver: 198.51.100.25",
    "Server [REDACTED:ip], driver [REDACTED:ip], Denver: [REDACTED:ip]",
  ],
  ["rebuild 198.51.100.23", "rebuild [REDACTED:ip]"],
  ["[IPv6:2001:db8::8a2e:370:7334] Host:2001:db8::8a2e:1", "[IPv6:[REDACTED:ip]] Host:[REDACTED:ip]"],
  ["http://list.example/?e=x;ann%40example.org&u=1", "http://list.example/?e=x;[REDACTED:email]&u=1"],
  ["%3Cann%2540example.org%3E", "%[REDACTED:email]%3E"],
  ["card 4111 1111\n1111 1111, exp", "card [REDACTED:credit_card], exp"],
  ["> 4111-1111-\r\n> 1111-1111", "> [REDACTED:credit_card]"],
  ["> > > 4111 1111\n> > > 1111 1111", "> > > [REDACTED:credit_card]"],
  [">> 4111-1111- \r\n> > > > 1111-1111", ">> [REDACTED:credit_card]"],
  ["4111\t1111\t1111\t1111", "[REDACTED:credit_card]"],
  ["41111111\n11111111", "[REDACTED:credit_card]"],
  ["my credit card is 1000 0000 0000 0008", "my credit card is [REDACTED:credit_card]"],
  ["3530 1113 3306 (card)", "[REDACTED:credit_card] (card)"],
  ["Lee,219-09-9999,713-555-0123,192.0.2.1", "Lee,[REDACTED:ssn],[REDACTED:phone],[REDACTED:ip]"],
  ["12,4111111111111111", "12,[REDACTED:credit_card]"],
  ["leave a message at 555-0123 or text 555-0199", "leave a message at [REDACTED:phone] or text [REDACTED:phone]"],
  ["Desk: 99-71-555-0123\nOffice: 555 0123", "Desk: [REDACTED:phone]\nOffice: [REDACTED:phone]"],
  ["phone “555-0123”, fax → 555-0199", "phone “[REDACTED:phone]”, fax → [REDACTED:phone]"],
  ["((713) 555-0123)", "([REDACTED:phone])"],
  ["reach me at 555-0123 or 555-0199.", "reach me at [REDACTED:phone] or [REDACTED:phone]."],
  ["219 - 09 - 9999, 4111 - 1111 - 1111 - 1111", "[REDACTED:ssn], [REDACTED:credit_card]"],
  ["card 3056 9309 0259 04", "card [REDACTED:credit_card]"],
  ["SS# 219099999", "SS# [REDACTED:ssn]"],
  ["手机号码13800138000", "手机号码[REDACTED:phone]"],
  ["713-555-0123 (ext. 456), +1-713-555-0123;ext=456", "[REDACTED:phone], [REDACTED:phone]"],
  ["Tel. 030 1234567 Durchwahl 89, 713-555-0123 (ext. 1 or 2)", "Tel. [REDACTED:phone], [REDACTED:phone] or 2)"],
  ["ping 198.051.100.023, IP address: 010.000.000.001", "ping [REDACTED:ip], IP address: [REDACTED:ip]"],
  ["TIN 912-70-1234, ssn: 219-099999, SSN 21909 9999", "TIN [REDACTED:ssn], ssn: [REDACTED:ssn], SSN [REDACTED:ssn]"],
  ["219-09- 9999 or 4111/1111/1111/1111", "[REDACTED:ssn] or [REDACTED:credit_card]"],
  ["4111  1111  1111  1111\nVisa4111111111111111", "[REDACTED:credit_card]\nVisa[REDACTED:credit_card]"],
  ["713-555-0123/0124/0125, 713-555-0123 or 0124.", "[REDACTED:phone], [REDACTED:phone]."],
  ["713-555-0123, 0124 and 0125; 713-555-0123 & 24", "[REDACTED:phone]; [REDACTED:phone] & 24"],
  ["713-555-0123 or 713-555-0124, 1234 Main Street", "[REDACTED:phone] or [REDACTED:phone], 1234 Main Street"],
  ["8-800-555-01-23, 8 (495) 555-01-23", "[REDACTED:phone], [REDACTED:phone]"],
  [
    "☎ 555-0123 ☎️ 555 0124 📱:5550125 ℡ 555-0126",
    "☎ [REDACTED:phone] ☎️ [REDACTED:phone] 📱:[REDACTED:phone] ℡ [REDACTED:phone]",
  ],
  ["my number is 555-0123, our numbers: 5550124", "my number is [REDACTED:phone], our numbers: [REDACTED:phone]"],
  ["Home 555-0123 (w) 555-0124", "Home [REDACTED:phone] (w) [REDACTED:phone]"],
  [
    "tlf 22 55 01 23, هاتف ٠٥٠٥٥٥٠١٢٣, โทร. 5550123",
    "tlf [REDACTED:phone], هاتف [REDACTED:phone], โทร. [REDACTED:phone]",
  ],
  ["ann@mail_gate.example.org, bob@example.org2", "[REDACTED:email], [REDACTED:email]2"],
];

/** Values in disguises that occur in mail, links and file names. */
const DISGUISED: typeof REDACTED = [
  ["call (713) \r\n> 555-0123.", "call [REDACTED:phone]."],
  ["at 713-\n555-0123 or 713-555-\n0123", "at [REDACTED:phone] or [REDACTED:phone]"],
  ["at 713-555\n-0123 or (713) 555\n0123", "at [REDACTED:phone] or [REDACTED:phone]"],
  ["at 713\n555-0123 or 1-800\n555-0123", "at [REDACTED:phone] or [REDACTED:phone]"],
  ["+44 20\n   7946 0958\n12 High Street", "[REDACTED:phone]\n12 High Street"],
  ["> 219-09-\n> 9999", "> [REDACTED:ssn]"],
  ["my SSN is 219 09\n9999, SS#: 219\r\n> 09 9999", "my SSN is [REDACTED:ssn], SS#: [REDACTED:ssn]"],
  ["IBAN DE89 3704 0044\n0532 0130 00 and gb82-west-1234\n> 5698-7654-32", "IBAN [REDACTED:iban] and [REDACTED:iban]"],
  ["DE89370400440\n532013000", "[REDACTED:iban]"],
  ["DE89.3704.0044.0532.0130.00", "[REDACTED:iban]"],
  ["card 41111111111\n11111, visa 4111-1111-1\n> 111-1111", "card [REDACTED:credit_card], visa [REDACTED:credit_card]"],
  ["SSN 219-09-9\n999, my ssn: 2190\n99999.", "SSN [REDACTED:ssn], my ssn: [REDACTED:ssn]."],
  ["SSN 219-09-9\n999 12 May, SSN 219 09\n9999 12", "SSN [REDACTED:ssn] 12 May, SSN [REDACTED:ssn] 12"],
  ["card 4111 1111 11\n11 1111 12 May", "card [REDACTED:credit_card] 12 May"],
  ["ann@\nexample.org and > bob@\r\n> x.example.org", "[REDACTED:email] and > [REDACTED:email]"],
  ["Mail: ann @example.org, <BReed @ example.org>", "Mail: [REDACTED:email], <[REDACTED:email]>"],
  ["to AnnReed @ example.org or ann.reed\n@example.org", "to [REDACTED:email] or [REDACTED:email]"],
  ["to ann_7 @example.org or ann @ example.org", "to [REDACTED:email] or ann @ example.org"],
  ["SSN_219-09-9999.pdf", "SSN_[REDACTED:ssn].pdf"],
  ["4111111111111111_scan.pdf _713-555-0123_", "[REDACTED:credit_card]_scan.pdf _[REDACTED:phone]_"],
  ["713·555·0123, 713•555•0123", "[REDACTED:phone], [REDACTED:phone]"],
  ["?subject=219%2009%209999&tel=%2B44%2020%207946%200958", "?subject=[REDACTED:ssn]&tel=[REDACTED:phone]"],
  ["%20198.51.100.23%3E ann%40example%2Eorg", "%20[REDACTED:ip]%3E [REDACTED:email]"],
  ["ann(at)example.org, bob [at] example [dot] org", "[REDACTED:email], [REDACTED:email]"],
  ["198[.]51[.]100[.]23", "[REDACTED:ip]"],
  ["ann{at}example{dot}org bob<at>example.org ann[@]example.org", "[REDACTED:email] [REDACTED:email] [REDACTED:email]"],
  ["ann at example dot org or bob AT mail DOT example DOT org", "[REDACTED:email] or [REDACTED:email]"],
  [
    "On Monday, ann at example.org wrote:\n<bob at example.org>",
    "On Monday, [REDACTED:email] wrote:\n<[REDACTED:email]>",
  ],
  [
    "From: ann.lee at example.org\nTo: ann at example.org (Ann Lee)",
    "From: [REDACTED:email]\nTo: [REDACTED:email] (Ann Lee)",
  ],
  ["write to ann@example,com or ann=40example.org", "write to [REDACTED:email] or [REDACTED:email]"],
  ["4111111111111111%2e4111111111111111", "[REDACTED:credit_card]%2e[REDACTED:credit_card]"],
  ["713&nbsp;555&nbsp;0123 ann&#64;example.org", "[REDACTED:phone] [REDACTED:email]"],
  ["ann&#064;example&#46;org bob&#x0040;example&period;org", "[REDACTED:email] [REDACTED:email]"],
  ["&#55;&#49;&#51;&#45;555&#x2d;0123", "[REDACTED:phone]"],
  ["call (713)  \r\n> 555-0123.", "call [REDACTED:phone]."],
  ["server\u200b198.51.100.23\u2060x", "server\u200b[REDACTED:ip]\u2060x"],
  ["Fax713-555-0123 SSN219-09-9999", "Fax[REDACTED:phone] SSN[REDACTED:ssn]"],
  ["০৭১৩-৫৫৫-০১২৩ ๒๑๙-๐๙-๙๙๙๙", "[REDACTED:phone] [REDACTED:ssn]"],
];

/** Texts that must not change. */
const KEPT: readonly string[] = [
  "",
  "Nothing personal here.",
  "10/15/2001 10:30:45 AM, 2001-10-15 08:00, 31.12.1999",
  "Invoice 12345678, order #20011015, $1,234,567.89, 3.14159265",
  "Kim/HOU/ECT@ECT, @everyone, a@b, x@localhost",
  "000-12-3456 666-12-3456 987-65-4321 123-00-4567 123-45-0000",
  "4111 1111 1111 1112",
  "DE88370400440532013000, GB82WEST1234569876543, ZZ8237040044053201300",
  "xDE89370400440532013000 DE89370400440532013000x DE89  37040044053201300",
  "version 5.0.0.1, v1.2.3.4, 1.2.3.4.5, 256.1.1.1",
  "std::vector a::b ::1 :: 12:30:45 00:1A:2B:3C:4D:5E 2001::db8::1",
  "[REDACTED:phone] [REDACTED:ssn] [REDACTED:email]",
  "IDs 1234567890 and 0001 0002 0003",
  "123.045.100.023 tons, host 198.051.100.23",
  "rows 219 09\n9999, the 219 09\n9999",
  "Version: 5.0.0.1, ver. 5.0.0.1, § 5.0.0.1, app_version 5.0.0.1",
  "2001\t4111\t1111\t1111\t1111\t2002, 100%40 cards",
  "at 1000 0000 0000 0008 hours",
  "card 0000 0000 0000 0000",
  "/press_release/2001_02/20010206_note.htm?148_46_1267",
  "1998\n555-0123 lines, 2,713\n555-0123, 100% of 20%",
  "app_version_5.0.0.1, x_5.0.0.1.2",
  "look at example.org (at noon) [at] home",
  "We met at example.com (the store), sign up at example.org; see report.pdf at example.org, (c) 2000 - 2001",
  "f) 5550123, room 8 495 123 45, your order number is 5550123, at home call nobody: 5550123, to home 555 0123",
  "security 1/15/2001 10:00, 1  4111  1111  1111  1111, step one dot two, a=40b",
  "(phone: 37099)\n11:00 AM (phone: x37098)\n11:30 AM",
  "ABC713-555-0123 x219-09-9999",
  "get your free @example.org account, reply by e-mail @example.org\nor look at the pages @ www.example.org",
  "cards sold: 4111 1111 11\n12 1111, paid 2190\n99999",
];

describe("redactText", () => {
  it.each([...REDACTED, ...DISGUISED])("redacts %j", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each(KEPT)("keeps %j", (text) => {
    const { text: kept, counts } = redactText(text, ALL);
    expect(kept).toBe(text);
    expect(counts).toEqual(NO_REDACTIONS);
  });

  it("counts each type, and ignores other types", () => {
    const text = "ann@example.org 219-09-9999 192.0.2.1 bob@example.org";
    expect(redactText(text, new Set<PiiType>(["email", "ip"]))).toEqual({
      text: "[REDACTED:email] 219-09-9999 [REDACTED:ip] [REDACTED:email]",
      counts: { ...NO_REDACTIONS, email: 2, ip: 1 },
    });
  });

  it("redacts IBAN groups that look like a phone number, if IBANs are not requested", () => {
    const { text } = redactText(
      "DE89 3704 0044 0532 0130 00, then GB29 NWBK 6016 1331 9268 19",
      new Set(DEFAULT_PII_TYPES),
    );
    expect(text).toBe("DE89 3704 [REDACTED:phone], then GB29 NWBK 6016 1331 9268 19");
  });

  it("finds an IBAN only on request", () => {
    const text = "IBAN:DE89370400440532013000 or NO93 8601 1117 947, ann@example.org";
    const others = new Set<PiiType>(DEFAULT_PII_TYPES);
    expect(redactText(text, others).text).toBe("IBAN:DE89370400440532013000 or NO93 8601 1117 947, [REDACTED:email]");
    expect(redactText(text, new Set<PiiType>(["iban"]))).toEqual({
      text: "IBAN:[REDACTED:iban] or [REDACTED:iban], ann@example.org",
      counts: { ...NO_REDACTIONS, iban: 2 },
    });
  });

  it.each([
    ["zero-width characters", "4111\u200b1111\u200d1111\ufeff1111", "[REDACTED:credit_card]"],
    [
      "no-break spaces and typographic dashes",
      "219\u201109\u20139999, 713\u00a0555\u00a00123",
      "[REDACTED:ssn], [REDACTED:phone]",
    ],
    ["fullwidth forms", "２１９－０９－９９９９ ａｎｎ＠ｅｘａｍｐｌｅ．ｏｒｇ", "[REDACTED:ssn] [REDACTED:email]"],
    ["soft hyphens", "ann\u00ad@exam\u00adple.org!", "[REDACTED:email]!"],
    ["Arabic digits", "٢١٩-٠٩-٩٩٩٩", "[REDACTED:ssn]"],
  ])("detects values disguised by %s, and keeps the text around them", (_, text, expected) => {
    expect(redact(`«\u00a0${text}\u200b»`)).toBe(`«\u00a0${expected}\u200b»`);
  });

  it("redacts every number of a long list in one line", () => {
    for (const separator of [" ", " / ", "/", " - ", "  "])
      for (const number of LISTED_NUMBERS) {
        const list = Array.from({ length: 30 }, () => number);
        expect(redact(list.join(separator))).toBe(list.map(() => "[REDACTED:phone]").join(separator));
      }
    for (const separator of [" ", " / "])
      for (const first of LISTED_NUMBERS)
        for (const second of LISTED_NUMBERS)
          expect(redact([first, second].join(separator))).toBe(`[REDACTED:phone]${separator}[REDACTED:phone]`);
  });

  it("is idempotent for any text and types", () => {
    const pieces = fc.constantFrom(
      ..."0 1 9 12 123 555 4567 4111 1234567 123456789 - . / ( ) + x @ %40 %2e %20 _ · [at] (.) &nbsp; ssn : :: [ ] a fe80 .com dot {at} ☎ /7001 or number my example.org ann phone call at office ext % $ , card 1000 \n \t > \u200b \u00a0 １ é".split(
        " ",
      ),
      " ",
      " ",
      "-",
      ".",
      "219-09-9999",
      "DE89",
      " 3704 0044 0532 0130 00",
      "GB82WEST12345698765432",
      "[REDACTED:iban]",
      "713-555-0123",
      "4111 1111 1111 1111",
      "192.0.2.1",
      "2001:db8::1",
      "ann@example.org",
      "[REDACTED:phone]",
      "[REDACTED:ip]",
      "ssn ",
    );
    const text = fc.array(pieces, { maxLength: 24 }).map((list) => list.join(""));
    fc.assert(
      fc.property(text, fc.subarray([...PII_TYPES], { minLength: 1 }), (original, types) => {
        const wanted = new Set(types);
        const once = redactText(original, wanted).text;
        const twice = redactText(once, wanted);
        expect(twice.text).toBe(once);
        expect(twice.counts).toEqual(NO_REDACTIONS);
      }),
      { numRuns: 1_500 },
    );
  });

  it("finds planted data between any words and keeps every word", () => {
    const secrets = fc.constantFrom(
      "ann@example.org",
      "219-09-9999",
      "4111 1111 1111 1111",
      "192.0.2.1",
      "(713) 555-0123",
    );
    const words = fc
      .array(fc.constantFrom("the", "gas", "meeting", "2001", "Q3", "é", "–", "10:30", "$5", "\n"), { maxLength: 8 })
      .map((w) => w.join(" "));
    fc.assert(
      fc.property(words, secrets, words, (before, secret, after) => {
        const { text, counts } = redactText(`${before} ; ${secret} ; ${after}`, ALL);
        expect(text.replace(/\[REDACTED:\w+\]/, "")).toBe(`${before} ;  ; ${after}`);
        expect(Object.values(counts).reduce((a, b) => a + b)).toBe(1);
      }),
    );
  });

  it.each([
    "DE89",
    ":DE89",
    "de89 3704 ",
    "4111\n",
    "4111\t",
    "4111 1111\n",
    "%40",
    "%31",
    "1_",
    "(1)\n",
    "+1\n",
    "[at]",
    "fax1",
    "a%40",
    "fe:",
    "1",
    "1-",
    "1.",
    "a@",
    "a@b.c",
    "a.",
    ":",
    "a:",
    ":37a2e",
    "1 ",
    "(1)",
    "\u200b1",
    "tel 1 ",
    '"@',
    "[REDACTED:",
  ])(
    "walks a long run of %j in linear steps",
    (piece) => {
      // A quadratic scan would need about a minute and exceed the time limit of the test.
      const text = piece.repeat(Math.floor(300_000 / piece.length));
      expect(redactText(redact(text), ALL).counts.email).toBe(0);
    },
    30_000,
  );
});
