import { FaultMessage, type FaultProps } from "./states.tsx";
import { ViewHead } from "./view-head.tsx";

/** A view of one thing that cannot be shown: its head, and why. */
export function FaultPage({ title, ...fault }: FaultProps & { readonly title: string }) {
  return (
    <div class="page">
      <ViewHead title={title} />
      <FaultMessage {...fault} />
    </div>
  );
}
