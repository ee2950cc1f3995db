import { associatedKind } from "../../mapi/associated-item.ts";
import { Properties } from "../../properties/properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { PropertyContext } from "../../pst/ltp/property-context.ts";
import type { MessageStore } from "../../pst/messaging/message-store.ts";
import { NODE_TYPE } from "../../pst/ndb/node-entry.ts";

/** Folder-associated messages of a store: rules and texts that are kept, and settings that are only counted. */
interface AssociatedMessages {
  readonly kept: readonly { readonly nid: number; readonly parentNid: number }[];
  /** Number of skipped items per class. */
  readonly leftOut: ReadonlyMap<string, number>;
}

const UNREADABLE = "unreadable";
/** Maximum classes listed in one note; add-ins have their own classes. */
const CLASSES_NAMED = 40;

/** Reads the class of every associated message ([MS-PST] 2.4.4: folders list them in a table of their own). */
export function associatedMessages(store: MessageStore): AssociatedMessages {
  const kept: { readonly nid: number; readonly parentNid: number }[] = [];
  const leftOut = new Map<string, number>();
  store.database.eachNode(NODE_TYPE.associatedMessage, (nid, parentNid) => {
    const messageClass = classOf(store, nid);
    if (messageClass !== null && associatedKind(messageClass) !== null) kept.push({ nid, parentNid });
    else {
      const name = messageClass ?? UNREADABLE;
      leftOut.set(name, (leftOut.get(name) ?? 0) + 1);
    }
  });
  return { kept, leftOut };
}

function classOf(store: MessageStore, nid: number): string | null {
  const node = store.database.node(nid);
  const bytes = node === null ? null : PropertyContext.open(store.database, node);
  return bytes === null ? null : new Properties(bytes, store.context).text(PID.messageClass);
}

/** `12 folder views and settings skipped: IPM.Configuration.Calendar (2), …`; null if there were none. */
export function summarizeSkipped(leftOut: ReadonlyMap<string, number>): string | null {
  const total = [...leftOut.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const named = [...leftOut].slice(0, CLASSES_NAMED).map(([name, count]) => `${name.slice(0, 100)} (${count})`);
  if (leftOut.size > named.length) named.push("…");
  return `${total} folder views and settings skipped: ${named.join(", ")}`;
}
