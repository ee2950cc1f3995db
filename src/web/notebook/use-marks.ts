import { useApplication, useRoute } from "../application.ts";
import { faultText } from "../shell/fault.ts";
import { useKeys } from "../shell/use-keys.ts";
import { WORDS } from "../words/words.ts";
import { type Mark, type MarkedKind, type Marks, NO_MARK } from "./marks.ts";

/** The notebook of the current archive; null if it is read-only. */
export function useMarks(): Marks | null {
  const { marksOf } = useApplication();
  return marksOf(useRoute().archive);
}

/** The mark of an entity. */
export function useMark(kind: MarkedKind, id: string): Mark {
  const marks = useMarks();
  return marks === null || id === "" ? NO_MARK : marks.of(kind, id).value;
}

/** Shows the result of a write. */
export function useSaveStatus(): (write: Promise<string>) => void {
  const { notice } = useApplication();
  return (write) => {
    write.then(
      (text) => {
        notice.value = text;
      },
      (cause: unknown) => {
        notice.value = WORDS.notebook.refused(faultText(cause));
      },
    );
  };
}

/**
 * Sets tags by the keys that they have. @param chosen the things that keys are for; empty to leave the key to others
 */
export function useTagKeys(kind: MarkedKind, chosen: () => readonly string[]): void {
  const marks = useMarks();
  const showStatus = useSaveStatus();
  // Loaded before a key is pressed.
  marks?.allTags();
  useKeys({
    tag(key) {
      const ids = chosen();
      if (marks === null || ids.length === 0) return false;
      showStatus(turnTagOfKey(marks, { kind, ids, key }));
      return true;
    },
  });
}

interface TagKey {
  readonly kind: MarkedKind;
  readonly ids: readonly string[];
  readonly key: string;
}

/** Sets or removes the tag with a key; returns the status text. */
async function turnTagOfKey(marks: Marks, { kind, ids, key }: TagKey): Promise<string> {
  const tagOfKey = () => marks.tags.peek().find(({ digit }) => digit === Number(key));
  // The key may be pressed before the tags are loaded, or after it was assigned elsewhere.
  if (tagOfKey() === undefined) await marks.loadTags();
  const tag = tagOfKey();
  if (tag === undefined) return WORDS.notebook.noTagOfKey(key);
  const isSet = await marks.turnTag(kind, ids, tag.name);
  return WORDS.notebook.turned(tag.name, isSet, ids.length);
}
