import { useParameters, useRoute } from "../application.ts";
import { Choice } from "../search/query/choice.tsx";
import { WORDS } from "../words/words.ts";
import { counted } from "./formats.ts";
import { useChanged } from "./pager.tsx";

interface ChoicesProps {
  readonly label: string;
  /** URL parameter with the selection. */
  readonly name: string;
  /** Empty if nothing is selected. */
  readonly chosen: string;
  readonly values: readonly { readonly value: string; readonly label: string; readonly count: number }[];
}

/** Limit of values shown as links: more would fill a screen, and become a menu. */
const MAX_LINKS = 12;

/** Values to choose from, each with its number of rows. The choice is stored in the address. */
export function Choices({ label, name, chosen, values }: ChoicesProps) {
  const changed = useChanged();
  const change = useParameters();
  const { parameters } = useRoute();
  const isListed = values.some(({ value }) => value === chosen);
  if (values.length < 2 && !parameters.has(name)) return null;
  const all = isListed || chosen === "" ? values : [{ value: chosen, label: chosen, count: 0 }, ...values];
  if (all.length > MAX_LINKS)
    return (
      <p class="choices">
        <span class="quiet">{label}</span>
        <Choice
          label={label}
          value={chosen}
          choices={[
            ["", WORDS.all],
            ...all.map(({ value, label: text, count }) => [value, `${text} · ${counted(count)}`] as const),
          ]}
          onChoose={(value) => change({ [name]: value === "" ? null : value, offset: null })}
        />
      </p>
    );
  return (
    <nav class="choices" aria-label={label}>
      <span class="quiet">{label}</span>
      <a href={changed({ [name]: null })} aria-current={chosen === "" ? "true" : undefined}>
        {WORDS.all}
      </a>
      {all.map((value) => (
        <a
          key={value.value}
          href={changed({ [name]: value.value })}
          aria-current={value.value === chosen ? "true" : undefined}
        >
          <bdi>{value.label}</bdi> <span class="count">{counted(value.count)}</span>
        </a>
      ))}
    </nav>
  );
}
