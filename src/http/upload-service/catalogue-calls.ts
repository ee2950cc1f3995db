import type { MessagePort } from "node:worker_threads";
import type { ErrorCode } from "../../errors.ts";
import type { CatalogueSetting, DistantCatalogue } from "../../store/postgres/upload-catalogue.ts";

/** What the thread of a shared catalogue is started with. */
export interface CatalogueThreadData {
  readonly setting: CatalogueSetting;
  /** Where calls come from and answers go. */
  readonly port: MessagePort;
  /** One number, which grows with every answer: who waits is woken by it. */
  readonly answered: Int32Array;
}

/** A call on its way to the thread. */
export interface CatalogueCall {
  readonly call: number;
  readonly method: Exclude<keyof DistantCatalogue, "access"> | keyof DistantCatalogue["access"];
  readonly given: readonly unknown[];
}

/** What the thread answers. */
export type CatalogueReply =
  | { readonly call: number; readonly found: unknown }
  | {
      readonly call: number;
      readonly fault: { readonly code: ErrorCode; readonly message: string; readonly hint: string };
    };
