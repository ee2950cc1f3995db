import { useMemo } from "preact/hooks";
import type { RowWire } from "../../http/explore-api/wire/wire.ts";
import type { SearchedArchiveWire, UploadSearchWire } from "../../http/upload-service/base/wire-search.ts";
import { useApplication, useRoute } from "../application.ts";
import { FilterBox } from "../parts/filter-box.tsx";
import { dayOf } from "../parts/formats.ts";
import { nameOf } from "../parts/person.ts";
import { FaultMessage } from "../parts/states.tsx";
import { addressOf, BASE_PATH, formatParameters } from "../shell/addresses.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { ARCHIVES_WORDS } from "../words/archives-words.ts";
import { number } from "../words/nouns.ts";
import { WORDS } from "../words/words.ts";

/** Searches all archives; results name theirs. @param completed number of completed archives, which changes results */
export function SearchAll({ completed }: { readonly completed: number }) {
  const { answers } = useApplication();
  const q = useRoute().parameters.get("q") ?? "";
  const path = `${BASE_PATH}/uploads/search${formatParameters({ q })}`;
  useMemo(() => answers.forget(path), [completed]);
  const { data, fault, retry } = useAnswer<UploadSearchWire>(q.trim() === "" ? null : path);
  const shown = q.trim() === "" ? null : data;
  return (
    <>
      <FilterBox name="q" label={ARCHIVES_WORDS.searchAll} />
      {fault === null ? null : <FaultMessage fault={fault} onRetry={retry} />}
      {shown === null ? null : (
        <>
          <p role="status">
            {number(shown.total, "message")} · {number(shown.searched, "archive")}
          </p>
          {shown.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
          {shown.archives.map((found) => (
            <Found key={found.upload_id} found={found} q={q} />
          ))}
        </>
      )}
    </>
  );
}

interface FoundProps {
  readonly found: SearchedArchiveWire;
  readonly q: string;
}

function Found({ found: { upload_id: archive, filename, total, messages }, q }: FoundProps) {
  return (
    <section class="panel">
      <h3>
        <bdi>{filename}</bdi>{" "}
        {total === null ? (
          ARCHIVES_WORDS.unreadable
        ) : (
          <a href={addressOf("search", { archive }, { q })}>{number(total, "message")}</a>
        )}
      </h3>
      {messages.map((row) => (
        <Row key={row.id} row={row} address={addressOf("message", { archive, id: row.id }, { q })} />
      ))}
    </section>
  );
}

function Row({ row, address }: { readonly row: RowWire; readonly address: string }) {
  const { isUtc } = useApplication();
  const { from, sent_at: sentAt, subject, snippet } = row;
  return (
    <p>
      <a href={address}>{subject === "" ? WORDS.noSubject : subject}</a>{" "}
      <span class="count">
        <bdi>{from === null ? WORDS.noSender : nameOf(from)}</bdi> ·{" "}
        {sentAt === null ? WORDS.undated : dayOf(sentAt, isUtc.value)}
      </span>
      <br />
      <span dir="auto">{snippet.map(([text, isMatch], at) => (isMatch ? <mark key={at}>{text}</mark> : text))}</span>
    </p>
  );
}
