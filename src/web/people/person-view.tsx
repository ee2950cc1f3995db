import type { PersonDetailWire } from "../../http/explore-api/wire/wire-people.ts";
import { useAddress, useApi, useRoute } from "../application.ts";
import { MarkBar } from "../notebook/mark-editor.tsx";
import { useMarks } from "../notebook/use-marks.ts";
import { DataTable } from "../parts/data-table.tsx";
import { Figure } from "../parts/figure.tsx";
import { counted } from "../parts/formats.ts";
import { Lazy } from "../parts/lazy.tsx";
import { nameOf } from "../parts/person.ts";
import { SearchLink } from "../parts/search-link.tsx";
import { Skeleton } from "../parts/states.tsx";
import { TimeChart } from "../parts/time-chart.tsx";
import { ValueList } from "../parts/value-list.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import { FaultPage } from "../shell/fault-page.tsx";
import { useAnswer } from "../shell/use-answer.ts";
import { noun, number } from "../words/nouns.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";

const words = TABLE_WORDS.people;

/** A person: messages sent and received, correspondents, topics, and the evidence for their addresses. */
export function PersonView() {
  const api = useApi();
  const { id } = useRoute();
  const address = useAddress();
  const marks = useMarks();
  const { data, fault, retry } = useAnswer<PersonDetailWire>(api(`/people/${encodeURIComponent(id)}`));
  if (fault !== null) return <FaultPage title={WORDS.views.person} fault={fault} onRetry={retry} />;
  if (data === null) return <Skeleton rows={10} height={36} />;
  return (
    <div class="page wide">
      <ViewHead title={nameOf(data) || WORDS.noSender} summary={`${data.email}${words.addresses(data.alias_count)}`}>
        <a class="button" href={address("graph", {}, { person: id })}>
          {WORDS.views.graph}
        </a>
      </ViewHead>
      <MarkBar kind="person" id={id} />
      {marks === null ? null : (
        <Lazy key={id} load={() => import("./corrections.tsx")}>
          {({ PersonCorrections }) => <PersonCorrections person={data} />}
        </Lazy>
      )}
      <Figures person={data} />
      <div class="charts">
        <TimeChart timeline={data.sent_timeline} clause={data.sent.clause} label={words.sentOverTime} />
        <TimeChart timeline={data.received_timeline} clause={data.received.clause} label={words.receivedOverTime} />
      </div>
      <Counterparts person={data} id={id} />
      <div class="lists">
        {data.facets
          .filter(({ values }) => values.length > 0)
          .map((facet) => (
            <ValueList key={facet.of} facet={facet} clause={data.all.clause} />
          ))}
        {data.mentioned_by.values.length === 0 ? null : (
          <ValueList facet={data.mentioned_by} clause={`mentions:${id}`} title={words.mentionedBy} />
        )}
      </div>
      <Addresses person={data} />
      <AddressBook person={data} />
      <Namesakes person={data} />
    </div>
  );
}

interface PersonProps {
  readonly person: PersonDetailWire;
}

function Figures({ person: { sent, received, all, sentiment, community, community_id: id } }: PersonProps) {
  const address = useAddress();
  const figure = (name: string, { clause, messages }: PersonDetailWire["sent"]) => (
    <Figure
      count={messages}
      name={name}
      href={clause === "" || messages === 0 ? undefined : address("search", {}, { q: clause })}
    />
  );
  return (
    <>
      <ul class="figures">
        {figure(words.sent, sent)}
        {figure(words.received, received)}
        {figure(words.all, all)}
        <Figure
          count={all.conversations}
          name={noun(all.conversations, "conversation")}
          href={all.conversations === 0 ? undefined : address("search", {}, { q: all.clause, group: "conversation" })}
        />
      </ul>
      <p class="foot quiet">
        {`${words.tone}: ${words.tones[sentiment]}`}
        {community.leading.length === 0 ? null : (
          <>
            {` · ${words.community}: `}
            <a href={address("people", {}, { community: id })}>{number(community.members, "person")}</a>{" "}
            <bdi>{words.among(community.leading.map(({ name }) => name))}</bdi>
          </>
        )}
      </p>
    </>
  );
}

function Counterparts({ person: { counterparts }, id: own }: PersonProps & { readonly id: string }) {
  const address = useAddress();
  if (counterparts.length === 0) return null;
  return (
    <section class="panel">
      <h2>{words.counterparts}</h2>
      <DataTable
        label={words.counterparts}
        rows={counterparts}
        keyOf={({ contact_id: id }) => id}
        columns={[
          {
            name: "name",
            label: words.name,
            cell: ({ contact_id: id, name }) => (
              <a href={address("person", { id })}>
                <bdi>{name}</bdi>
              </a>
            ),
          },
          {
            name: "there",
            label: words.there,
            isNumber: true,
            cell: ({ there, there_clause: clause }) => <SearchLink clause={clause} count={there} />,
          },
          {
            name: "back",
            label: words.back,
            isNumber: true,
            cell: ({ back, back_clause: clause }) => <SearchLink clause={clause} count={back} />,
          },
          {
            name: "between",
            label: words.together,
            isNumber: true,
            cell: ({ contact_id: other, name, there, back }) => (
              <a href={address("between", { id: own, other })} aria-label={words.mailWith(name, there + back)}>
                {counted(there + back)}
              </a>
            ),
          },
        ]}
      />
    </section>
  );
}

function Addresses({ person: { addresses } }: PersonProps) {
  if (addresses.length < 2) return null;
  return (
    <section class="panel">
      <h2>{words.reasons}</h2>
      <DataTable
        label={words.reasons}
        rows={addresses}
        keyOf={({ address }) => address}
        columns={[
          { name: "address", label: words.email, cell: ({ address }) => <bdi>{address}</bdi> },
          { name: "reason", label: words.reason, cell: ({ reason }) => reason ?? words.ownAddress },
        ]}
      />
    </section>
  );
}

/** Address book entries of the person. */
function AddressBook({ person: { address_book: cards } }: PersonProps) {
  const address = useAddress();
  if (cards.length === 0) return null;
  return (
    <section class="panel">
      <h2>{words.addressBook}</h2>
      <ul>
        {cards.map(({ item_id: id, name, company, title, phones }) => (
          <li key={id}>
            <a href={address("items", {}, { kind: "contact", search: `"${name}"` }, id)}>
              <bdi>{name || id}</bdi>
            </a>{" "}
            <bdi class="quiet">{[title, company, ...phones].filter((text) => text !== "").join(" · ")}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Namesakes({ person: { namesakes } }: PersonProps) {
  const address = useAddress();
  if (namesakes.length === 0) return null;
  return (
    <section class="panel">
      <h2>{words.namesakes}</h2>
      <ul>
        {namesakes.map(({ contact_id: id, name, email, explanation }) => (
          <li key={id}>
            <a href={address("person", { id })}>
              <bdi>{name || email}</bdi>
            </a>{" "}
            <bdi class="quiet">{email}</bdi> · {explanation}
          </li>
        ))}
      </ul>
    </section>
  );
}
