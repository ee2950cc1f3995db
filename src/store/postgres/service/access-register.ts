import type { AuditedAct } from "../../../mail/access.ts";
import { type AccessRegister, AUDIT_CUT_EVERY } from "../../contract/access-register.ts";
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
import { ACCESS_STATE, AUDIT } from "../../tables/service-tables.ts";
import { asyncCalls, sql } from "../../tables/statement.ts";
import type { DedicatedClient } from "../client/dedicated-client.ts";
import type { PostgresClient } from "../client/postgres-client.ts";
import { askIn, runIn } from "../client/queryable-client.ts";

const CHANGES = rightsChanges(sql` FOR UPDATE`);

/** Half a second after the trigger: `now()` is the time of the transaction. */
const CUT = sql`DELETE FROM ${AUDIT}
  WHERE at < extract(epoch FROM now()) * 1000 - (SELECT audit_days FROM ${ACCESS_STATE}) * 86400000 - 500`;

/** The register in the database that services share. Rejects like the catalog. */
export function postgresRegister({ ask, change }: DedicatedClient): AccessRegister {
  const changed = ({ first, next, act }: RightsChange): Promise<boolean> =>
    change(async (client) => {
      if (!(await askIn(client, first))) return false;
      for (const statement of next) await runIn(client, statement);
      await append(client, act);
      return true;
    });
  return {
    ...asyncCalls(ACCESS_QUESTIONS, (question) => ask((client) => askIn(client, question))),
    addToken: (...given) => changed(CHANGES.addToken(...given)),
    revoke: (...given) => changed(CHANGES.revoke(...given)),
    grant: (...given) => changed(CHANGES.grant(...given)),
    ungrant: (...given) => changed(CHANGES.ungrant(...given)),
    startSession: (session) =>
      change(async (client) => {
        for (const statement of startedSession(session)) await runIn(client, statement);
      }),
    touchSession: (...given) => ask((client) => runIn(client, touchedSession(...given)).then(() => undefined)),
    endSession: (hash) => change((client) => runIn(client, endedSession(hash)).then(() => undefined)),
    record: (act) => ask((client) => append(client, act)),
    keepAudit: (days, by) =>
      change(async (client) => {
        await runIn(client, setAuditDays(days));
        await append(client, { ...by, action: "retention set", uploadId: null, detail: `${days} days` });
        await runIn(client, CUT);
      }),
  };
}

/** Adds a row to the audit, in the transaction of the audited change if there is one. */
async function append(client: PostgresClient, act: AuditedAct): Promise<void> {
  if ((await askIn(client, appendedAct(act))) % AUDIT_CUT_EVERY === 0) await runIn(client, CUT);
}
