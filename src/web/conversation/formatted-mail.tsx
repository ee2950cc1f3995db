import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useApi, useApplication } from "../application.ts";
import { Skeleton } from "../parts/states.tsx";
import { Fault, faultText } from "../shell/fault.ts";
import { WORDS } from "../words/words.ts";
import { PasswordForm } from "./password-form.tsx";

/** Maximum height in pixels of a formatted mail, which then scrolls. */
const MAX_HEIGHT = 12_000;

interface FormattedMailProps {
  readonly id: string;
  /** Its text, as a fallback. */
  readonly children: ComponentChildren;
}

/** The HTML of a message, with the content security policy of its own response: nothing in it runs or is fetched. */
export function FormattedMail({ id, children }: FormattedMailProps) {
  const { answers } = useApplication();
  const api = useApi();
  const path = api(`/messages/${id}/html`);
  const state = useSignal<"asked" | "there" | "protected" | string>("asked");
  const attempt = useSignal(0);
  const height = useSignal(120);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const control = new AbortController();
    // Fetched first, because a frame does not report errors; the browser then has the response cached for the frame.
    answers.send(path, { signal: control.signal }).then(
      () => {
        state.value = "there";
      },
      (cause: unknown) => {
        if (control.signal.aborted) return;
        const code = cause instanceof Fault ? cause.code : "";
        // Most mail is text, without HTML.
        const why = code === "NOT_FOUND" ? WORDS.message.onlyText : `${WORDS.message.noHtml} ${faultText(cause)}`;
        state.value = code === "ORIGINAL_PROTECTED" ? "protected" : why;
      },
    );
    return () => control.abort();
  }, [path, attempt.value]);
  if (state.value === "asked") return <Skeleton rows={4} height={20} />;
  if (state.value === "protected")
    return (
      <PasswordForm
        onGiven={() => {
          state.value = "asked";
          attempt.value++;
        }}
      />
    );
  if (state.value !== "there")
    return (
      <>
        <p class="warned">{state.value}</p>
        {children}
      </>
    );
  return (
    <iframe
      ref={frame}
      class="formatted"
      title={WORDS.message.html}
      src={path}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      style={{ height: `${height.value}px` }}
      onLoad={() => {
        const written = frame.current?.contentDocument?.documentElement.scrollHeight ?? 0;
        height.value = Math.min(MAX_HEIGHT, written + 2);
      }}
    />
  );
}
