import type { OutlookItem } from "../mail/records/item.ts";
import type { Properties } from "../properties/properties.ts";
import { PID } from "../properties/property-ids.ts";
import { readRule } from "./objects/rule-blob.ts";
import { readableBody, richBodies } from "./rtf/rich-body.ts";

/**
 * Folder-associated messages that are kept, by the prefix of their class (lower case); the first match decides. All
 * others are views and settings.
 */
const KEPT: readonly { readonly prefix: string; readonly as: "rule" | "out_of_office" }[] = [
  { prefix: "ipm.note.rules.ooftemplate", as: "out_of_office" },
  { prefix: "ipm.note.rules.externaloof", as: "out_of_office" },
  { prefix: "ipm.note.rules", as: "rule" },
  { prefix: "ipm.rule", as: "rule" },
  { prefix: "ipm.extendedrule", as: "rule" },
];
/** Bits of `PidTagRuleMessageState` ([MS-OXORULE] 2.2.4.1.4). */
const STATE = { enabled: 0x01, error: 0x02, onlyWhenOutOfOffice: 0x04 } as const;
/** Limits for texts of Outlook's rule wizard: a rule has a name and a few words and addresses. */
const MAX_TEXTS = 1_000;
/** Maximum bytes that are read; Outlook's own limit is near 32 KB. */
const MAX_STREAM_BYTES = 1 << 20;
/** Minimum consecutive letters that are text and not chance. */
const TEXT_IN_UTF16 = /[\x20-\x7e\u00a0-\u024f]{3,}/g;

export function associatedKind(messageClass: string): "rule" | "out_of_office" | null {
  const lower = messageClass.toLowerCase();
  return KEPT.find(({ prefix }) => lower.startsWith(prefix))?.as ?? null;
}

/** A rule of a mailbox, or its out-of-office replies. */
export function readAssociatedItem(properties: Properties, kind: "rule" | "out_of_office"): OutlookItem {
  const name = properties.text(PID.ruleMessageName) ?? properties.subject() ?? properties.text(PID.displayName) ?? "";
  const { actions, conditions } = readRule(
    properties.binary(PID.extendedRuleActions),
    properties.binary(PID.extendedRuleConditions),
  );
  const state = properties.integer(PID.ruleMessageState);
  const texts = wizardTexts(properties.binary(PID.rulesStream));
  const body = readableBody(richBodies(properties));
  const pairs: readonly (readonly [name: string, value: string | null])[] = [
    ["message_class", properties.text(PID.messageClass)],
    ["provider", properties.text(PID.ruleMessageProvider)],
    ["enabled", state === null ? null : (state & STATE.enabled) === 0 ? "no" : "yes"],
    ["only_when_out_of_office", state !== null && (state & STATE.onlyWhenOutOfOffice) !== 0 ? "yes" : null],
    ["in_error", state !== null && (state & STATE.error) !== 0 ? "yes" : null],
    ["conditions", unread(conditions, properties.has(PID.extendedRuleConditions))],
    ["actions", unread(actions?.join("; ") ?? null, properties.has(PID.extendedRuleActions))],
    ["texts", texts.length === 0 ? null : texts.join("; ")],
    ["body", body === "" ? null : body],
  ];
  const fields = Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== null));
  return { kind, subject: name, fields };
}

function unread(text: string | null, isThere: boolean): string | null {
  return text ?? (isThere ? "unreadable" : null);
}

/**
 * Texts in the stream of the rules wizard: names of rules, words and addresses in conditions and actions. The format is
 * not published; the texts are UTF-16, at even or odd offsets.
 */
function wizardTexts(stream: Buffer | null): readonly string[] {
  if (stream === null) return [];
  const texts = new Set<string>();
  for (const start of [0, 1]) {
    const end = Math.min(stream.length, MAX_STREAM_BYTES);
    const text = stream.toString("utf16le", start, end - ((end - start) % 2));
    for (const [run] of text.matchAll(TEXT_IN_UTF16)) if (texts.size < MAX_TEXTS) texts.add(run.trim());
  }
  return [...texts].filter((text) => text.length > 2);
}
