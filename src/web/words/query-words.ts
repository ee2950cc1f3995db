/** The SHA-256 of an empty file. */
const EMPTY_FILE = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Query language help: syntax and meaning. docs/reference/query-language.md is complete. */
export const QUERY_WORDS: readonly (readonly [written: readonly string[], finds: string])[] = [
  [["mooring line"], "messages with both words"],
  [['"mooring line"'], "the exact phrase"],
  [["moor*"], "words that start with “moor”"],
  [["stem:contract"], "any form of the word: contracts, contracted; stem:* applies to every word of the query"],
  [["mooring -draft"], "messages without “draft”"],
  [["mooring OR quay"], "either word; group with parentheses: (mooring OR quay) from:ann"],
  [["from:ann", "to:ann", "cc:ann"], "by sender, by recipient, by Cc: a name, an address or a contact"],
  [["person:ann"], "sent or received by this person"],
  [["domain:harbour.example"], "sent from this domain"],
  [["subject:budget"], "with this word in the subject"],
  [
    ["after:2021-05", "since:2021/05/14", "before:2021-05-14", "until:2021"],
    "sent on or after, or on or before, a UTC year, month or day",
  ],
  [
    ["on:2021-05-14+02:00", "date:2021-01..2021-03"],
    "sent on this day (in UTC or the given zone), or between two dates",
  ],
  [["newer_than:6m", "older_than:1y"], "sent within, or before, the last days (d), weeks (w), months (m) or years (y)"],
  [["in:inbox", 'mailbox:"Sent Items"'], "in a folder whose name contains this; in a folder with exactly this name"],
  [["source:old.mbox"], "from this source file"],
  [
    ["has:attachment"],
    "with attachments; also has:calendar, has:findings, has:copies, has:note, has:language, has:label, has:tag …",
  ],
  [["type:pdf"], "with a file of this type: image, document, spreadsheet, slides, archive, audio, video …"],
  [["filename:plan", "attachment:hawser"], "with this in an attachment’s name; in its text"],
  [[`sha256:${EMPTY_FILE}`], "with exactly this file, by SHA-256; the Files view lists the hashes"],
  [["larger:1M", "smaller:20k"], "larger or smaller than this size"],
  [["is:reply", "is:unread"], "also is:forward, is:flagged, is:automatic, is:undated, is:redacted"],
  [["kind:list"], "of this kind; also kind:meeting, kind:report, kind:event, kind:contact"],
  [["list:devel"], "mail of this mailing list"],
  [["lang:de"], "written in this language"],
  [["label:work"], "with this flag or Gmail label"],
  [
    ['mentions:"Ann Reed"', 'others:"Al Day"', "org:acme", "phone:+14155550132", "amount:>10000"],
    "whose text mentions a person, an organization, a phone number in any notation, an amount",
  ],
  [
    ["iban:DE89370400440532013000", "site:harbour.example", "reference:2001-77"],
    "an account, a linked site, an invoice",
  ],
  [["topic:budget"], "in a topic whose name contains this"],
  [["tag:press", "review:relevant"], "with this tag; with this review decision"],
  [["thread:thread-000012", "similar:msg-000123"], "in this conversation; similar to this message"],
  [["id:plan@harbour.example"], "the message with this Message-ID"],
];
