import type { ProvenanceRecordWire, SourceWire } from "../../http/explore-api/wire/wire-provenance.ts";
import { useAddress, useApi, useApplication } from "../application.ts";
import { DataTable } from "../parts/data-table.tsx";
import { Fact } from "../parts/figure.tsx";
import { counted, momentOf, sizeOf } from "../parts/formats.ts";
import { Hash } from "../parts/hash.tsx";
import { Icon } from "../parts/icon.tsx";
import { SearchLink } from "../parts/search-link.tsx";
import { SourceName } from "../parts/source-name.tsx";
import { FaultMessage, Skeleton } from "../parts/states.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import { useAnswer } from "../shell/use-answer.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";
import { OriginalCheck } from "./original-check.tsx";
import { COUNT_NAMES, Outcome, Reconciliation } from "./reconciliation.tsx";

const { about } = TABLE_WORDS;

/** Origin of the archive, processing, and unreadable items. */
export function AboutView() {
  const api = useApi();
  const { data, fault, retry } = useAnswer<ProvenanceRecordWire>(api("/provenance"));
  return (
    <div class="page wide">
      <ViewHead title={WORDS.views.about} />
      {fault === null ? null : <FaultMessage fault={fault} onRetry={retry} />}
      {data === null && fault === null ? <Skeleton rows={5} height={120} /> : null}
      {data === null ? null : <Record record={data} />}
    </div>
  );
}

function Record({ record }: { readonly record: ProvenanceRecordWire }) {
  return (
    <>
      <section class="panel">
        <h2>{about.complete}</h2>
        <Reconciliation counts={record.counts} ways={record.ways} />
        <Made record={record} />
      </section>
      <Sources sources={record.sources} />
      <Warnings record={record} />
      {record.options.redact.length > 0 ? null : <OriginalCheck paths={record.sources.map(({ path }) => path)} />}
      <Runs record={record} />
      <section class="panel">
        <h2>{about.options}</h2>
        <dl class="facts">
          {Object.entries(record.options).map(([name, value]) => (
            <Fact key={name} name={about.optionNames[name as keyof typeof about.optionNames] ?? name}>
              {optionText(value)}
            </Fact>
          ))}
          {record.statistics.files_without_text === undefined ? null : (
            <Fact name={about.filesWithoutText}>{counted(record.statistics.files_without_text)}</Fact>
          )}
        </dl>
        <Redactions record={record} />
      </section>
    </>
  );
}

function optionText(value: unknown): string {
  if (value === null) return about.unlimited;
  if (typeof value === "boolean") return value ? about.yes : about.no;
  if (Array.isArray(value)) return value.length === 0 ? about.nothing : value.join(", ");
  return typeof value === "number" ? counted(value) : String(value);
}

function Made({ record }: { readonly record: ProvenanceRecordWire }) {
  const { isUtc } = useApplication();
  return (
    <dl class="facts">
      <Fact name={about.made}>{momentOf(record.extracted_at, isUtc.value)}</Fact>
      <Fact name={about.tool}>
        {record.tool} {record.tool_version}
      </Fact>
      <Fact name={about.format}>{record.source_format}</Fact>
      <Fact name={about.hashOfAll}>
        <Hash sha256={record.source_hash} />
      </Fact>
    </dl>
  );
}

function SourceLine({ path, is_damaged: isDamaged }: SourceWire) {
  return (
    <>
      <SourceName path={path} />
      {isDamaged ? (
        <span class="warned-source">
          <Icon name="warning" /> {about.damaged}
        </span>
      ) : null}
    </>
  );
}

function Sources({ sources }: { readonly sources: readonly SourceWire[] }) {
  const address = useAddress();
  return (
    <section class="panel">
      <h2>{about.sources}</h2>
      <DataTable
        label={about.sources}
        rows={sources}
        keyOf={({ source }) => String(source)}
        columns={[
          { name: "path", label: about.source, cell: (source) => <SourceLine {...source} /> },
          { name: "format", label: about.format, cell: ({ format }) => format },
          { name: "size", label: about.size, isNumber: true, cell: ({ size_bytes: size }) => sizeOf(size) },
          { name: "sha256", label: WORDS.sha256, cell: ({ sha256 }) => <Hash sha256={sha256} /> },
          ...COUNT_NAMES.map((name) => ({
            name,
            label: WORDS.counts[name],
            isNumber: true,
            cell: ({ counts, ways, source }: SourceWire) => (
              <Outcome name={name} counts={counts} ways={ways} source={source} />
            ),
          })),
          {
            name: "messages",
            label: about.messages,
            isNumber: true,
            cell: ({ clause, messages }) => <SearchLink clause={clause} count={messages} />,
          },
          {
            name: "mailboxes",
            label: WORDS.views.mailboxes,
            isNumber: true,
            cell: ({ source, mailboxes }) => <a href={address("mailboxes", {}, { source })}>{counted(mailboxes)}</a>,
          },
          {
            name: "warnings",
            label: WORDS.views.warnings,
            isNumber: true,
            cell: ({ source, warnings }) =>
              warnings === 0 ? "0" : <a href={address("warnings", {}, { source })}>{counted(warnings)}</a>,
          },
        ]}
      />
    </section>
  );
}

function Warnings({ record: { warnings, warnings_truncated: truncated } }: { readonly record: ProvenanceRecordWire }) {
  const address = useAddress();
  return (
    <section class="panel">
      <h2>{WORDS.views.warnings}</h2>
      {warnings.length === 0 ? <p class="quiet">{about.noWarnings}</p> : null}
      <ul class="tally">
        {warnings.map(({ code, count }) => (
          <li key={code}>
            <a href={address("warnings", {}, { code })}>
              <code>{code}</code> <span class="count">{counted(count)}</span>
            </a>
          </li>
        ))}
      </ul>
      {truncated === 0 ? null : <p class="quiet">{about.truncated(truncated)}</p>}
    </section>
  );
}

function Runs({ record: { runs } }: { readonly record: ProvenanceRecordWire }) {
  const { isUtc } = useApplication();
  return (
    <section class="panel">
      <h2>{about.runs}</h2>
      <DataTable
        label={about.runs}
        rows={runs}
        keyOf={(_, index) => String(index)}
        columns={[
          { name: "at", label: about.made, cell: (run) => momentOf(run.extracted_at, isUtc.value) },
          { name: "version", label: about.version, cell: (run) => run.tool_version },
          { name: "kind", label: about.kind, cell: (run) => (run.incremental ? about.incremental : about.whole) },
          { name: "sources", label: about.sources, cell: (run) => <bdi class="path">{run.sources.join(", ")}</bdi> },
          ...COUNT_NAMES.map((name) => ({
            name,
            label: WORDS.counts[name],
            isNumber: true,
            cell: (run: ProvenanceRecordWire["runs"][number]) => counted(run.added[name]),
          })),
        ]}
      />
    </section>
  );
}

function Redactions({ record: { redactions, options } }: { readonly record: ProvenanceRecordWire }) {
  if (options.redact.length === 0) return null;
  return (
    <>
      <h3>{about.redacted}</h3>
      <dl class="facts">
        {Object.entries(redactions).map(([type, count]) => (
          <Fact key={type} name={type}>
            {counted(count)}
          </Fact>
        ))}
      </dl>
    </>
  );
}
