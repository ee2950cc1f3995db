import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A small message of invented people. */
export interface FixtureMessage {
  readonly id: string | null;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly date: string;
  readonly body: string;
  readonly references?: string;
}

export function rawMessage({ id, from, to, subject, date, body, references }: FixtureMessage): string {
  return [
    ...(id === null ? [] : [`Message-ID: <${id}>`]),
    ...(references === undefined ? [] : [`References: <${references}>`]),
    `Date: ${date}`,
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    "",
    body,
    "",
  ].join("\n");
}

/** Day `n` of 2003 at noon, as a Date field. */
export function day(n: number): string {
  return new Date(Date.UTC(2003, 0, n, 12)).toUTCString().replace("GMT", "+0000");
}

export const LETTERS: readonly FixtureMessage[] = [
  {
    id: "a1@harbour.example",
    from: "Mara Holt <mara@harbour.example>",
    to: "Jon Pike <jon@harbour.example>",
    subject: "Crane repair offer",
    date: day(1),
    body: "The offer for the crane is in.\nCall me.",
  },
  {
    id: "a2@harbour.example",
    from: "Jon Pike <jon@harbour.example>",
    to: "Mara Holt <mara@harbour.example>",
    subject: "Re: Crane repair offer",
    date: day(2),
    body: "Too expensive, I think.\n\n> The offer for the crane is in.",
    references: "a1@harbour.example",
  },
  {
    id: null,
    from: "Ida Brook <ida@quay.example>",
    to: "mara@harbour.example",
    subject: "Tide tables",
    date: day(3),
    body: "Tables for März attached. Viele Grüße",
  },
];

/** Writes messages as an mbox file. */
export function writeMbox(path: string, messages: readonly string[]): void {
  writeFileSync(
    path,
    messages.map((message) => `From mara@harbour.example Wed Jan  1 12:00:00 2003\n${message}\n`).join(""),
  );
}

/** Writes messages as a Maildir. */
export function writeMaildir(path: string, messages: readonly string[]): void {
  for (const part of ["cur", "new", "tmp"]) mkdirSync(join(path, part), { recursive: true });
  for (const [index, message] of messages.entries())
    writeFileSync(join(path, "cur", `${index + 1}.harbour:2,S`), message);
}

/** An mbox with the given number of invented messages, all different. */
export function mboxOf(messages: number, name: string): string {
  return Array.from({ length: messages }, (_, index) => {
    const message = rawMessage({
      id: `${index}.${name}@harbour.example`,
      from: `Person ${index % 17} <p${index % 17}@harbour.example>`,
      to: `Person ${index % 13} <q${index % 13}@quay.example>`,
      subject: `${name} ${index % 40}`,
      date: day(1 + (index % 300)),
      body: `Letter ${index} of ${name}: the crane, the tide and the mooring lines.\n`.repeat(1 + (index % 30)),
    });
    return `From p@harbour.example Wed Jan  1 12:00:00 2003\n${message}\n`;
  }).join("");
}
