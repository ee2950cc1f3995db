import type { ContactEdge } from "../../mail/archive.ts";
import type { Contact } from "../../mail/records/contact.ts";
import { escapeMarkup } from "../../text/html/escape-markup.ts";

/** The format of a contact graph: header, nodes, separator, edges, footer. */
export interface GraphNotation {
  readonly head: string;
  node(contact: Contact): string;
  readonly between: string;
  edge(edge: ContactEdge, index: number): string;
  readonly tail: string;
}

/** Attributes of a contact: name, type and value, the same in both notations. */
const ATTRIBUTES: readonly {
  readonly name: string;
  readonly type: "string" | "int" | "double";
  value(contact: Contact): string | number;
}[] = [
  { name: "email", type: "string", value: ({ email }) => email },
  { name: "messages", type: "int", value: ({ messageCount }) => messageCount },
  { name: "sent", type: "int", value: ({ sentCount }) => sentCount },
  { name: "received", type: "int", value: ({ receivedCount }) => receivedCount },
  { name: "community", type: "string", value: ({ communityId }) => communityId },
  { name: "authority", type: "double", value: ({ authorityScore }) => authorityScore },
  { name: "hub", type: "double", value: ({ hubScore }) => hubScore },
  { name: "pagerank", type: "double", value: ({ pagerank }) => pagerank },
];

/** GraphML (http://graphml.graphdrawing.org/specification.html). */
export const GRAPHML: GraphNotation = {
  head: [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    '<key id="label" for="node" attr.name="label" attr.type="string"/>',
    ...ATTRIBUTES.map(({ name, type }) => `<key id="${name}" for="node" attr.name="${name}" attr.type="${type}"/>`),
    '<key id="count" for="edge" attr.name="count" attr.type="int"/>',
    '<key id="weight" for="edge" attr.name="weight" attr.type="double"/>',
    '<graph id="contacts" edgedefault="directed">',
    "",
  ].join("\n"),
  node: (contact) =>
    `<node id="${contact.id}"><data key="label">${escapeMarkup(labelOf(contact))}</data>${ATTRIBUTES.map(
      ({ name, value }) => `<data key="${name}">${escapeMarkup(String(value(contact)))}</data>`,
    ).join("")}</node>\n`,
  between: "",
  edge: ({ from, to, count, weight }) =>
    `<edge source="${from}" target="${to}"><data key="count">${count}</data><data key="weight">${weight}</data></edge>\n`,
  tail: "</graph>\n</graphml>\n",
};

/** GEXF 1.3 (https://gexf.net). */
export const GEXF: GraphNotation = {
  head: [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gexf xmlns="http://gexf.net/1.3" version="1.3">',
    '<graph defaultedgetype="directed">',
    '<attributes class="node">',
    ...ATTRIBUTES.map(
      ({ name, type }) => `<attribute id="${name}" title="${name}" type="${type === "int" ? "integer" : type}"/>`,
    ),
    "</attributes>",
    "<nodes>",
    "",
  ].join("\n"),
  node: (contact) =>
    `<node id="${contact.id}" label="${escapeMarkup(labelOf(contact))}"><attvalues>${ATTRIBUTES.map(
      ({ name, value }) => `<attvalue for="${name}" value="${escapeMarkup(String(value(contact)))}"/>`,
    ).join("")}</attvalues></node>\n`,
  between: "</nodes>\n<edges>\n",
  edge: ({ from, to, weight }, index) => `<edge id="${index}" source="${from}" target="${to}" weight="${weight}"/>\n`,
  tail: "</edges>\n</graph>\n</gexf>\n",
};

function labelOf({ id, name, email }: Contact): string {
  return name !== "" ? name : email !== "" ? email : id;
}
