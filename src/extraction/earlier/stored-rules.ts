import { hash } from "node:crypto";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { PagedObjects } from "../../columns/paged-objects.ts";
import type { SettledCorrections } from "../../contacts/corrections/correction.ts";
import { correctedAddresses, type EarlierRules, type RuleLine } from "../../contacts/rule-results.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import { TOOL_VERSION } from "../../version.ts";
import { storedList, storeList } from "../ledger/stored-list.ts";
import type { ContactsByAddress } from "./contacts-by-address.ts";

/**
 * Results of the contact rules, before corrections by the user. A run that reads no mail uses them: rules over all
 * addresses take longer than everything that follows a correction.
 */
const RULES_KEY = "extraction:contact-rules";
const STATE_KEY = "extraction:contact-rules-state";

/** Inputs of the rules besides the mail. */
interface RuleRestrictions {
  readonly merge: boolean;
  readonly corrections: SettledCorrections;
}

/** State of the stored results. */
interface StoredState {
  /** Hash of the version and the restrictions. */
  readonly restrictions: string;
  /** `correctedAddresses` of the run. */
  readonly corrected: readonly string[];
}

/** Reads the results of the earlier run; null if they are not valid for the restrictions. */
export async function readRules(
  {
    writer,
    memory,
    contacts,
  }: { readonly writer: ArchiveWriter; readonly memory: PagedMemory; readonly contacts: ContactsByAddress },
  restrictions: RuleRestrictions,
): Promise<EarlierRules | null> {
  const stored = await writer.getMeta(STATE_KEY);
  if (typeof stored !== "string") return null;
  const state = JSON.parse(stored) as StoredState;
  if (state.restrictions !== hashOf(restrictions)) return null;
  const lines = new PagedObjects<RuleLine>(memory);
  for await (const line of storedList<RuleLine>(writer, RULES_KEY)) lines.push(line);
  const corrected = new Set([...state.corrected, ...correctedAddresses(restrictions.corrections)]);
  return { lines, corrected, nameOf: (key) => contacts.nameOf(key) };
}

/** Stores the results for later runs, and releases them. @param isNew false if they are those of the earlier run */
export async function storeRules(
  writer: ArchiveWriter,
  restrictions: RuleRestrictions,
  { rules, isNew }: { readonly rules: PagedObjects<RuleLine>; readonly isNew: boolean },
): Promise<void> {
  const corrected = correctedAddresses(restrictions.corrections);
  const state: StoredState = { restrictions: hashOf(restrictions), corrected };
  await writer.setMeta(STATE_KEY, JSON.stringify(state));
  if (isNew) await storeList(writer, RULES_KEY, linesOf(rules));
  rules.clear();
}

function* linesOf(rules: PagedObjects<RuleLine>): Generator<RuleLine> {
  for (let at = 0; at < rules.length; at++) yield rules.at(at);
}

/** Groups affect the rules only if other addresses must stay apart. */
function hashOf({ merge, corrections: { apart, lists, groups } }: RuleRestrictions): string {
  const isRestricted = apart.size > 0 || lists.length > 0;
  const restrictions = isRestricted ? [[...apart].map(([one, others]) => [one, [...others]]), lists, groups] : [];
  return hash("sha256", JSON.stringify([TOOL_VERSION, merge, restrictions]));
}
