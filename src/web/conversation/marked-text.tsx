import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import { linksIn } from "../../text/html/text-links.ts";
import { useAddress } from "../application.ts";
import { WORDS } from "../words/words.ts";
import { useDisplayOptions } from "./display-options.ts";
import { matchedPieces } from "./text-matches.ts";

function trimmed(text: string): string {
  return text.replace(/^\s*\n|\s+$/g, "");
}

/** A part of the text of a message: links, search matches, and redaction marks. */
export function Marked({ text }: { readonly text: string }) {
  const { mentioned } = useDisplayOptions();
  const address = useAddress();
  const shown = trimmed(text);
  const links = useMemo(
    () => linksIn(shown).filter(({ kind, target }) => kind === "address" || mentioned.has(target)),
    [shown, mentioned],
  );
  if (shown === "") return null;
  let end = 0;
  const pieces = links.map((link) => {
    const before = shown.slice(end, link.start);
    end = link.end;
    const href = link.kind === "message" ? address("message", { id: mentioned.get(link.target)! }) : link.target;
    return (
      <Fragment key={link.start}>
        <Matches text={before} />
        <a href={href} {...(link.kind === "address" ? ELSEWHERE : {})}>
          <Matches text={shown.slice(link.start, link.end)} />
        </a>
      </Fragment>
    );
  });
  return (
    <div class="text-of-mail">
      {pieces}
      <Matches text={shown.slice(end)} />
    </div>
  );
}

/** A link in mail opens in a new tab, without referrer and opener. */
const ELSEWHERE = { target: "_blank", rel: "noopener noreferrer" } as const;

function Matches({ text }: { readonly text: string }) {
  const { sought } = useDisplayOptions();
  const pieces = useMemo(() => matchedPieces(text, sought), [text, sought]);
  return (
    <>
      {/* Ranges of a text keep their positions. */}
      {pieces.map(([piece, isMatch], index) => (isMatch ? <mark key={index}>{piece}</mark> : <Gaps text={piece} />))}
    </>
  );
}

/** Redaction marks: `[REDACTED:email]`. */
const GAP = /\[REDACTED:([a-z_]+)\]/;

/** A text with its redaction marks, each with the type of what was removed. */
function Gaps({ text }: { readonly text: string }) {
  // Every second part is the type of a redaction mark.
  const parts = text.split(GAP);
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          <span key={at} class="gap" title={WORDS.message.redacted}>
            {part.replaceAll("_", " ")}
          </span>
        ),
      )}
    </>
  );
}
