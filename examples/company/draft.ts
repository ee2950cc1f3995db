export type MailProgramName = "outlook" | "gmail" | "appleMail" | "thunderbird" | "lotusNotes" | "mutt";

/** An address as it is written in one message. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface ExampleAttachment {
  readonly filename: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export const CHARSETS = ["utf-8", "iso-8859-1", "windows-1252", "iso-2022-jp", "koi8-r", "gb18030"] as const;
export type Charset = (typeof CHARSETS)[number];

/** A message before a mail program has written it. */
export interface Draft {
  readonly from: Identity;
  readonly to: readonly Identity[];
  readonly cc: readonly Identity[];
  readonly subject: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** Offset of the writer's clock from UTC, in hours. */
  readonly zoneHours: number;
  /** Own text, unwrapped, greeting and signature included. */
  readonly paragraphs: readonly string[];
  readonly program: MailProgramName;
  readonly charset: Charset;
  readonly relation: { readonly kind: "reply" | "forward"; readonly parent: Draft } | null;
  readonly attachments: readonly ExampleAttachment[];
  readonly calendar: { readonly method: string; readonly text: string } | null;
  /** Fields beyond the usual ones, such as List-Id. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** What it is about: a project's key, `languages`, `robots`, … */
  readonly project: string;
}

/** A draft with everything that is mostly absent left absent. */
export function draftOf(
  needed: Pick<Draft, "from" | "to" | "subject" | "sentAt" | "paragraphs" | "project"> & Partial<Draft>,
): Draft {
  return {
    cc: [],
    zoneHours: 1,
    program: "thunderbird",
    charset: "utf-8",
    relation: null,
    attachments: [],
    calendar: null,
    fields: [],
    ...needed,
  };
}
