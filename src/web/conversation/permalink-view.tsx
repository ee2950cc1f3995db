import { useEffect } from "preact/hooks";
import { writtenParameters } from "../addresses.ts";
import { useAddress, useApi, useApplication, usePlace } from "../application.ts";
import { FaultPage } from "../fault-page.tsx";
import { operatorClause } from "../query-text.ts";
import type { MessagePage } from "../search/search-page.ts";
import { Absent, Skeleton } from "../states.tsx";
import { useAnswer } from "../use-answer.ts";
import { WORDS } from "../words/words.ts";

/** Leads to the message with a Message-ID, whatever its place is in this extraction. */
export function PermalinkView() {
  const { id } = usePlace();
  const { navigation } = useApplication();
  const api = useApi();
  const address = useAddress();
  const q = operatorClause("id", id);
  const { data, fault, retry } = useAnswer<MessagePage>(api(`/messages${writtenParameters({ q, limit: 1 })}`));
  const found = data?.messages[0];
  useEffect(() => {
    if (found !== undefined) navigation.go(address("message", { id: found.id }), "replace");
  }, [found]);
  if (fault !== null) return <FaultPage title={WORDS.views.message} fault={fault} onRetry={retry} />;
  if (data !== null && found === undefined) return <Absent text={WORDS.message.noSuchId(id)} isView />;
  return <Skeleton rows={6} height={48} />;
}
