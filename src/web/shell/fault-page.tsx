import { FaultMessage, type FaultProps } from "../parts/states.tsx";
import { ViewHead } from "../parts/view-head.tsx";

/** A view of an entity that cannot be shown: its heading, and the reason. */
export function FaultPage({ title, ...fault }: FaultProps & { readonly title: string }) {
  return (
    <div class="page">
      <ViewHead title={title} />
      <FaultMessage {...fault} />
    </div>
  );
}
