import type { AuditedAct } from "../../../mail/access.ts";
import { type AccessRegister, AUDIT_CUT_EVERY } from "../../contract/access-register.ts";
import { promised } from "../../contract/promised-calls.ts";
import {
  ACCESS_QUESTIONS,
  appendedAct,
  endedSession,
  type RightsChange,
  rightsChanges,
  setAuditDays,
  startedSession,
  touchedSession,
} from "../../tables/access-questions.ts";
import { AUDIT } from "../../tables/service-tables.ts";
import { answering, NO_SQL, sql } from "../../tables/statement.ts";
import type { QueryableDatabase } from "../driver/queryable-database.ts";

const DAY_MS = 86_400_000;

/** Functions for writing to a catalog file. */
export interface CatalogWrites {
  /** A transaction that is on disk on return. */
  write<T>(run: () => T): T;
  /** Runs within the transaction of the next write. */
  writeSoon<T>(run: () => T): T;
}

const CHANGES = rightsChanges(NO_SQL);

/** The register in a catalog file. */
export function accessRegister({ ask, run }: QueryableDatabase, { write, writeSoon }: CatalogWrites): AccessRegister {
  const append = (act: AuditedAct): void => {
    if (ask(appendedAct(act)) % AUDIT_CUT_EVERY === 0) cut(act.at, ask(ACCESS_QUESTIONS.auditDays()));
  };
  // A second later than the trigger, which counts whole seconds.
  const cut = (now: number, days: number): void => {
    run(sql`DELETE FROM ${AUDIT} WHERE at < ${now - days * DAY_MS - 1000}`);
  };
  const change = ({ first, next, act }: RightsChange): boolean =>
    write(() => {
      if (!ask(first)) return false;
      for (const statement of next) run(statement);
      append(act);
      return true;
    });
  return promised<AccessRegister>({
    ...answering(ACCESS_QUESTIONS, ask),
    addToken: (...given) => change(CHANGES.addToken(...given)),
    revoke: (...given) => change(CHANGES.revoke(...given)),
    grant: (...given) => change(CHANGES.grant(...given)),
    ungrant: (...given) => change(CHANGES.ungrant(...given)),
    startSession: (session) => write(() => startedSession(session).forEach(run)),
    touchSession: (...given) => void writeSoon(() => run(touchedSession(...given))),
    endSession: (hash) => void write(() => run(endedSession(hash))),
    record: (act) => writeSoon(() => append(act)),
    keepAudit: (days, by) =>
      write(() => {
        run(setAuditDays(days));
        append({ ...by, action: "retention set", uploadId: null, detail: `${days} days` });
        cut(by.at, days);
      }),
  });
}
