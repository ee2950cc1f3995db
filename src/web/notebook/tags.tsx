import { Icon } from "../parts/icon.tsx";
import { WORDS } from "../words/words.ts";
import type { Mark } from "./marks.ts";
import { useMarks } from "./use-marks.ts";

/** A dot in the color of a tag, next to its name. */
export function TagSpot({ color }: { readonly color: string }) {
  return <span class="spot" style={{ background: color }} />;
}

/** A tag by its name. */
function TagName({ name }: { readonly name: string }) {
  const marks = useMarks();
  const color = marks?.allTags().value.find((tag) => tag.name === name)?.color;
  return (
    <span class="tag">
      {color === undefined ? null : <TagSpot color={color} />}
      <bdi>{name}</bdi>
    </span>
  );
}

/** The marks of an entity in one line. */
export function MarkLine({ mark: { tags, note, review } }: { readonly mark: Mark }) {
  if (tags.length === 0 && note === "" && review === "open") return null;
  return (
    <span class="mark-line">
      {review === "open" ? null : <span class={`review ${review}`}>{WORDS.notebook.reviews[review]}</span>}
      {tags.map((name) => (
        <TagName key={name} name={name} />
      ))}
      {note === "" ? null : (
        <span class="has-note" title={note} role="img" aria-label={WORDS.notebook.hasNote}>
          <Icon name="notebook" />
        </span>
      )}
    </span>
  );
}
