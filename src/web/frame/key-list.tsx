import { KEY_GROUPS, KEYS } from "../shell/key-table.ts";
import { WORDS } from "../words/words.ts";

/** All keys, by where they work. */
export function KeyList() {
  return (
    <>
      <p class="quiet">{WORDS.keys.hint}</p>
      <div class="key-groups">
        {KEY_GROUPS.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl class="keys">
              {KEYS.filter((key) => key.group === group).map(({ name, keys, does }) => (
                <div key={name}>
                  <dt>
                    {(keys.length > 2 ? [keys[0], "…", keys.at(-1)] : keys).map((written) => (
                      <kbd key={written}>{written}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </>
  );
}
