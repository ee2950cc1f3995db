import { useEffect } from "preact/hooks";
import { useAddress, useApi, useApplication, useRoute } from "../application.ts";
import { Absent, Skeleton } from "../parts/states.tsx";
import type { MessagePage } from "../search/state/search-page.ts";
import { formatParameters } from "../shell/addresses.ts";
import { FaultPage } from "../shell/fault-page.tsx";
import { operatorClause } from "../shell/query-text.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { WORDS } from "../words/words.ts";

/** Redirects to the message with a Message-ID, which survives re-extraction. */
export function PermalinkView() {
  const { id } = useRoute();
  const { navigation } = useApplication();
  const api = useApi();
  const address = useAddress();
  const q = operatorClause("id", id);
  const { data, fault, retry } = useAnswer<MessagePage>(api(`/messages${formatParameters({ q, limit: 1 })}`));
  const found = data?.messages[0];
  useEffect(() => {
    if (found !== undefined) navigation.go(address("message", { id: found.id }), "replace");
  }, [found]);
  if (fault !== null) return <FaultPage title={WORDS.views.message} fault={fault} onRetry={retry} />;
  if (data !== null && found === undefined) return <Absent text={WORDS.message.noSuchId(id)} isView />;
  return <Skeleton rows={6} height={48} />;
}
