/** The SHA-256 of a file without anything in it. */
const EMPTY_FILE = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** The query language as the help shows it: what can be written, and what that finds. docs/search.md has all of it. */
export const QUERY_WORDS: readonly (readonly [written: readonly string[], finds: string])[] = [
  [["mooring line"], "messages with both words"],
  [['"mooring line"'], "the words one after another"],
  [["moor*"], "words that begin so"],
  [["stem:contract"], "in any of its forms: contracts, contracted; stem:* stems every word of the query"],
  [["mooring -draft"], "messages without “draft”"],
  [["mooring OR quay"], "either of them; parentheses group: (mooring OR quay) from:ann"],
  [["from:ann", "to:ann", "cc:ann"], "who wrote it, who received it, who got a copy: a name, an address or a contact"],
  [["person:ann"], "who wrote or received it"],
  [["domain:harbour.example"], "whose author writes from this domain"],
  [["subject:budget"], "in the subject"],
  [
    ["after:2021-05", "since:2021/05/14", "before:2021-05-14", "until:2021"],
    "sent on or after, on or before: a year, a month or a day of UTC",
  ],
  [
    ["on:2021-05-14+02:00", "date:2021-01..2021-03"],
    "sent within: a day in UTC, or in the zone after it; from one date to another",
  ],
  [["newer_than:6m", "older_than:1y"], "sent within so many days (d), weeks (w), months or years, or before"],
  [["in:inbox", 'mailbox:"Sent Items"'], "in a folder with this in its name; in one of exactly this name"],
  [["source:old.mbox"], "out of this source"],
  [
    ["has:attachment"],
    "with files; also has:calendar, has:findings, has:copies, has:note, has:language, has:label, has:tag …",
  ],
  [["type:pdf"], "with a file of this type: image, document, spreadsheet, slides, archive, audio, video …"],
  [["filename:plan", "attachment:hawser"], "in the name of a file; in its text"],
  [[`sha256:${EMPTY_FILE}`], "with exactly this file, by the 64 digits of its SHA-256: the table of files has them"],
  [["larger:1M", "smaller:20k"], "of more or fewer bytes"],
  [["is:reply", "is:unread"], "also is:forward, is:flagged, is:automatic, is:undated, is:redacted"],
  [["kind:list"], "of this kind; also kind:meeting, kind:report, kind:event, kind:contact"],
  [["list:devel"], "mail of this mailing list"],
  [["lang:de"], "written in this language"],
  [["label:work"], "with this flag or Gmail label"],
  [
    ['mentions:"Ann Reed"', "org:acme", "phone:+14155550132", "amount:>10000"],
    "whose text mentions a person, an organization, a phone number in any notation, an amount",
  ],
  [
    ["iban:DE89370400440532013000", "site:harbour.example", "reference:2001-77"],
    "an account, a linked site, an invoice",
  ],
  [["topic:budget"], "of a topic with this in its name"],
  [["tag:press", "review:relevant"], "with this tag; decided on so in the review"],
  [["thread:thread-000012", "similar:msg-000123"], "of this conversation; more like this message"],
  [["id:plan@harbour.example"], "the message with this Message-ID"],
];
