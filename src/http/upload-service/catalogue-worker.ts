import { workerData } from "node:worker_threads";
import { ArchiveError, ERRORS } from "../../errors.ts";
import { postgresCatalogue } from "../../store/postgres/upload-catalogue.ts";
import type { CatalogueCall, CatalogueReply, CatalogueThreadData } from "./catalogue-calls.ts";
import { uploadEventData } from "./event-log.ts";

/** Entry of the thread that asks the database of a shared catalogue: one call in, one answer out, in order. */
const { setting, port, answered } = workerData as CatalogueThreadData;
const catalogue = postgresCatalogue(setting, uploadEventData);

let last: Promise<void> = Promise.resolve();

port.on("message", (call: CatalogueCall) => {
  last = last.then(() => take(call));
});

async function take(call: CatalogueCall): Promise<void> {
  port.postMessage(await replyTo(call));
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
  if (call.method === "close") port.close();
}

/** No call of the register has the name of one of the catalogue. Whoever called has had the types checked. */
function answerOf(method: CatalogueCall["method"], given: readonly unknown[]): Promise<unknown> {
  const target = method in catalogue ? catalogue : catalogue.access;
  const ask = (target as unknown as Readonly<Record<string, (...given: readonly unknown[]) => Promise<unknown>>>)[
    method
  ];
  return ask!.apply(target, [...given]);
}

async function replyTo({ call, method, given }: CatalogueCall): Promise<CatalogueReply> {
  try {
    return { call, found: await answerOf(method, given) };
  } catch (error) {
    if (error instanceof ArchiveError)
      return { call, fault: { code: error.code, message: error.message, hint: error.hint } };
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { call, fault: { code: "INTERNAL_ERROR", message, hint: ERRORS.INTERNAL_ERROR.hint } };
  }
}
