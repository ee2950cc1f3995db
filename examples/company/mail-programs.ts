import { clockTime, two } from "./dates.ts";
import type { Identity, MailProgramName } from "./draft.ts";

/** What a program needs to know of the message it quotes. */
export interface QuotedMessage {
  /** Who quotes it. */
  readonly by: Identity;
  readonly from: Identity;
  readonly to: readonly Identity[];
  readonly cc: readonly Identity[];
  readonly subject: string;
  readonly sentAt: number;
  readonly text: string;
}

/** Habits of a mail program: how it names itself, threads, quotes and forwards. */
export interface MailProgram {
  readonly agent: readonly [field: string, value: string];
  readonly replyPrefix: string;
  readonly forwardPrefix: string;
  /** Which thread fields it writes in a reply. */
  readonly threading: "references" | "in-reply-to" | "none";
  readonly hasThreadIndex: boolean;
  readonly isHtml: boolean;
  readonly isFlowed: boolean;
  /** True when the answer stands above the quoted text. */
  readonly answersAbove: boolean;
  readonly quote: (message: QuotedMessage, zoneHours: number) => string;
  readonly forward: (message: QuotedMessage, zoneHours: number) => string;
}

const person = ({ name, email }: Identity) => (name === "" ? email : `${name} <${email}>`);
const nameOf = ({ name, email }: Identity) => name || email;
const angleQuoted = (text: string) =>
  text
    .split("\n")
    .map((line) => (line.startsWith(">") ? `>${line}` : `> ${line}`.trimEnd()))
    .join("\n");

function twelveHours(hour: number, minute: number): string {
  return `${hour % 12 === 0 ? 12 : hour % 12}:${two(minute)} ${hour < 12 ? "AM" : "PM"}`;
}

function outlookBlock(message: QuotedMessage, zoneHours: number): string {
  const { weekday, month, day, year, hour, minute } = clockTime(message.sentAt, zoneHours);
  return [
    "-----Original Message-----",
    `From: ${person(message.from)}`,
    `Sent: ${weekday}, ${month} ${day}, ${year} ${twelveHours(hour, minute)}`,
    `To: ${message.to.map(nameOf).join("; ")}`,
    ...(message.cc.length > 0 ? [`Cc: ${message.cc.map(nameOf).join("; ")}`] : []),
    `Subject: ${message.subject}`,
    "",
    message.text,
  ].join("\n");
}

function lotusBlock(message: QuotedMessage, zoneHours: number): string {
  const { monthNumber, day, year, hour, minute } = clockTime(message.sentAt, zoneHours);
  const when = `${two(monthNumber)}/${two(day)}/${year} ${two(hour % 12 === 0 ? 12 : hour % 12)}:${two(minute)} ${hour < 12 ? "AM" : "PM"}`;
  return [
    `${nameOf(message.from)} on ${when}`,
    `To:\t${message.to.map(nameOf).join(", ")}`,
    `cc:\t${message.cc.map(nameOf).join(", ")}`,
    `Subject:\t${message.subject}`,
    "",
    message.text,
  ].join("\n");
}

function forwardedBlock(rule: string, message: QuotedMessage, zoneHours: number): string {
  const { weekday, month, day, year, hour, minute } = clockTime(message.sentAt, zoneHours);
  return [
    rule,
    `From: ${person(message.from)}`,
    `Date: ${weekday.slice(0, 3)}, ${month.slice(0, 3)} ${day}, ${year} at ${twelveHours(hour, minute)}`,
    `Subject: ${message.subject}`,
    `To: ${message.to.map(person).join(", ")}`,
    "",
    message.text,
  ].join("\n");
}

export const MAIL_PROGRAMS: Readonly<Record<MailProgramName, MailProgram>> = {
  outlook: {
    agent: ["X-Mailer", "Microsoft Outlook 16.0"],
    replyPrefix: "RE: ",
    forwardPrefix: "FW: ",
    threading: "references",
    hasThreadIndex: true,
    isHtml: true,
    isFlowed: false,
    answersAbove: true,
    quote: outlookBlock,
    forward: outlookBlock,
  },
  gmail: {
    agent: ["X-Received", "by 198.51.100.7 with SMTP id example"],
    replyPrefix: "Re: ",
    forwardPrefix: "Fwd: ",
    threading: "references",
    hasThreadIndex: false,
    isHtml: true,
    isFlowed: false,
    answersAbove: true,
    quote: (message, zoneHours) => {
      const { weekday, month, day, year, hour, minute } = clockTime(message.sentAt, zoneHours);
      const when = `${weekday.slice(0, 3)}, ${month.slice(0, 3)} ${day}, ${year} at ${twelveHours(hour, minute)}`;
      return `On ${when} ${person(message.from)}\nwrote:\n\n${angleQuoted(message.text)}`;
    },
    forward: (message, zoneHours) => forwardedBlock("---------- Forwarded message ---------", message, zoneHours),
  },
  appleMail: {
    agent: ["X-Mailer", "Apple Mail (2.3654.120.0.1.13)"],
    replyPrefix: "Re: ",
    forwardPrefix: "Fwd: ",
    threading: "references",
    hasThreadIndex: false,
    isHtml: false,
    isFlowed: true,
    answersAbove: true,
    quote: (message, zoneHours) => {
      const { month, day, year, hour, minute } = clockTime(message.sentAt, zoneHours);
      return angleQuoted(
        `On ${day} ${month.slice(0, 3)} ${year}, at ${two(hour)}:${two(minute)}, ${person(message.from)} wrote:\n\n${message.text}`,
      );
    },
    forward: (message, zoneHours) => angleQuoted(forwardedBlock("Begin forwarded message:", message, zoneHours)),
  },
  thunderbird: {
    agent: ["User-Agent", "Mozilla Thunderbird 102.6.1"],
    replyPrefix: "Re: ",
    forwardPrefix: "Fwd: ",
    threading: "references",
    hasThreadIndex: false,
    isHtml: false,
    isFlowed: true,
    answersAbove: false,
    quote: (message, zoneHours) => {
      const { monthNumber, day, year, hour, minute } = clockTime(message.sentAt, zoneHours);
      return `On ${two(day)}/${two(monthNumber)}/${year} ${two(hour)}:${two(minute)}, ${nameOf(message.from)} wrote:\n${angleQuoted(message.text)}`;
    },
    forward: (message, zoneHours) => forwardedBlock("-------- Forwarded Message --------", message, zoneHours),
  },
  lotusNotes: {
    agent: ["X-Mailer", "Lotus Notes Release 8.5.3"],
    replyPrefix: "Re: ",
    forwardPrefix: "",
    threading: "none",
    hasThreadIndex: false,
    isHtml: false,
    isFlowed: false,
    answersAbove: true,
    quote: lotusBlock,
    forward: (message, zoneHours) => {
      const { monthNumber, day, year, hour, minute } = clockTime(message.sentAt, zoneHours);
      const when = `${two(monthNumber)}/${two(day)}/${year} ${twelveHours(hour, minute)}`;
      const rule = `---------------------- Forwarded by ${nameOf(message.by)} on ${when} ---------------------------`;
      return `${rule}\n\n${lotusBlock(message, zoneHours)}`;
    },
  },
  mutt: {
    agent: ["User-Agent", "Mutt/2.2.9"],
    replyPrefix: "Re: ",
    forwardPrefix: "Fwd: ",
    threading: "in-reply-to",
    hasThreadIndex: false,
    isHtml: false,
    isFlowed: false,
    answersAbove: false,
    quote: (message, zoneHours) => {
      const { weekday, month, day, year, hour, minute, second } = clockTime(message.sentAt, zoneHours);
      const when = `${weekday.slice(0, 3)}, ${month.slice(0, 3)} ${two(day)}, ${year} at ${two(hour)}:${two(minute)}:${two(second)}`;
      return `On ${when} +0100, ${nameOf(message.from)} wrote:\n${angleQuoted(message.text)}`;
    },
    forward: (message, zoneHours) => forwardedBlock("----- Forwarded message -----", message, zoneHours),
  },
};
