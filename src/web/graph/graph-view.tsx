import { useEffect, useRef } from "preact/hooks";
import { type GraphChoice, NO_CHOICE } from "../../graph-view/controls/graph-choice.ts";
import { type MountedGraph, mountGraph } from "../../graph-view/mount-graph.ts";
import type { GraphWire } from "../../http/explore-api/wire/wire-graph.ts";
import { useAddress, useApi, useApplication, useParameters, useRoute } from "../application.ts";
import { EmptyState, FaultMessage, Skeleton } from "../parts/states.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import { Choice } from "../search/query/choice.tsx";
import { addressOf, formatParameters, type Place } from "../shell/addresses.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { useKeys } from "../shell/use-keys.ts";
import { GRAPH_WORDS as words } from "../words/graph-words.ts";

/** Numbers of people to show; the last is the maximum of the server and of smooth drawing. */
const LIMITS = [500, 1000, 2000, 5000] as const;

/** The contact graph, whole or around one person. Its options are stored in the address. */
export function GraphView() {
  const api = useApi();
  const address = useAddress();
  const { parameters } = useRoute();
  const limit = parameters.get("limit") ?? "";
  const person = parameters.get("person") ?? "";
  const { data, isStale, fault, retry } = useAnswer<GraphWire>(api(`/graph${formatParameters({ person, limit })}`));
  const shown = isStale ? null : data;
  const summary = shown === null ? "" : words.summary(shown.nodes.id.length, shown.totals.contacts, person === "");
  const at = shown?.nodes.id.indexOf(person) ?? -1;
  const name = shown?.nodes.name[at] || shown?.nodes.email[at];
  return (
    <div class="graph-page">
      <ViewHead title={name === undefined ? words.title : words.around(name)} summary={summary}>
        <More limit={limit} contacts={shown?.totals.contacts ?? 0} />
        {person === "" ? null : (
          <a class="button" href={address("graph")}>
            {words.whole}
          </a>
        )}
      </ViewHead>
      {fault === null ? null : <FaultMessage fault={fault} onRetry={retry} />}
      {shown === null && fault === null ? <Skeleton rows={6} height={72} /> : null}
      {shown?.nodes.id.length === 0 ? <EmptyState title={words.none} /> : null}
      {shown === null || shown.nodes.id.length === 0 ? null : <Picture key={`${person} ${limit}`} graph={shown} />}
    </div>
  );
}

/** Links to contacts that are not shown. */
function More({ limit, contacts }: { readonly limit: string; readonly contacts: number }) {
  const address = useAddress();
  const change = useParameters();
  if (contacts <= LIMITS[0]) return null;
  const [usual] = LIMITS.map(String);
  return (
    <>
      <Choice
        label={words.most}
        value={limit || usual!}
        choices={LIMITS.map((most) => [String(most), words.upTo(most)])}
        onChoose={(most) => change({ limit: most === usual ? null : most })}
      />
      <a class="button" href={address("people")}>
        {words.others}
      </a>
    </>
  );
}

/** The graph itself, which is drawn without the framework. */
function Picture({ graph }: { readonly graph: GraphWire }) {
  const { navigation, theme } = useApplication();
  const address = useAddress();
  const place = useRoute();
  const element = useRef<HTMLDivElement>(null);
  const mounted = useRef<MountedGraph | null>(null);
  /** The selection that the graph already shows. */
  const reported = useRef("");
  useEffect(() => {
    const { nodes, extracted_at: extractedAt, ...rest } = graph;
    const { first_seen: firstSeen, last_seen: lastSeen, ...columns } = nodes;
    const data = { ...rest, extractedAt, nodes: { ...columns, firstSeen, lastSeen } };
    mounted.current = mountGraph(element.current!, data, {
      links: {
        person: (id) => address("person", { id }),
        around: (person) => address("graph", {}, { person }),
        between: (id, other) => address("between", { id, other }),
      },
      onChoice(choice) {
        const now = navigation.place.peek()!;
        if (now.view !== "graph") return;
        reported.current = JSON.stringify(choice);
        navigation.go(addressOf("graph", now, written(choice, now)), "replace");
      },
    });
    return () => mounted.current?.unmount();
  }, [graph]);
  const choice = choiceOf(place);
  useEffect(() => {
    const text = JSON.stringify(choice);
    if (text === reported.current || (reported.current === "" && text === JSON.stringify(NO_CHOICE))) return;
    reported.current = text;
    mounted.current?.choose(choice);
  }, [JSON.stringify(choice), graph]);
  useEffect(() => mounted.current?.repaint(), [theme.value]);
  useKeys({ search: () => mounted.current?.focusSearch() });
  return <div class="graph-frame" ref={element} />;
}

function choiceOf({ parameters }: Place): GraphChoice {
  const text = (name: string): string => parameters.get(name) ?? "";
  return {
    contact: text("contact"),
    isTable: parameters.get("view") === "table",
    from: text("after"),
    to: text("before"),
    hidden: text("without"),
  };
}

function written({ contact, isTable, from, to, hidden }: GraphChoice, { parameters }: Place) {
  const view = isTable ? "table" : null;
  return {
    person: parameters.get("person"),
    limit: parameters.get("limit"),
    contact,
    view,
    after: from,
    before: to,
    without: hidden,
  };
}
