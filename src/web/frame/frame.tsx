import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useApplication, useRoute } from "../application.ts";
import { Icon } from "../parts/icon.tsx";
import { codeFault, Lazy } from "../parts/lazy.tsx";
import { FaultMessage, Skeleton } from "../parts/states.tsx";
import { BASE_PATH, type ViewName } from "../shell/addresses.ts";
import type { Fault } from "../shell/fault.ts";
import { VIEWS, type View } from "../views.ts";
import { WORDS } from "../words/words.ts";
import { useGlobalKeys } from "./global-keys.ts";
import { useMenusThatClose } from "./open-menus.ts";
import { useOriginalLinks } from "./original-links.ts";
import { Rail } from "./rail.tsx";
import { useScrollKeys } from "./scroll-keys.ts";
import { useScrollMemory } from "./scroll-memory.ts";

/** The frame around every view: the name of the archive, navigation, status messages. */
export function Frame() {
  const { navigation, answers, overlay, refused } = useApplication();
  useGlobalKeys();
  useMenusThatClose();
  useOriginalLinks();
  useScrollMemory();
  useScrollKeys();
  if (navigation.place.value === null) return <NoView />;
  if (answers.isSignedOut.value) return <Lazy load={() => import("./sign-in.tsx")}>{({ SignIn }) => <SignIn />}</Lazy>;
  return (
    <>
      <a class="skip" href="#content">
        {WORDS.skip}
      </a>
      <Rail />
      {/* Only one bar at a time: without a server, the other is irrelevant. */}
      {answers.isOffline.value ? (
        <Bar text={WORDS.states.offline} hint={WORDS.states.offlineHint} />
      ) : answers.isReplaced.value ? (
        <Bar text={WORDS.states.replaced} hint={WORDS.states.replacedHint} />
      ) : null}
      <main id="content" tabIndex={-1}>
        <ViewSlot />
      </main>
      {overlay.value === null ? null : (
        <Lazy key={overlay.value} load={() => import("./key-dialog.tsx")}>
          {({ KeyDialog }) => <KeyDialog />}
        </Lazy>
      )}
      {refused.value === null ? null : (
        <Lazy load={() => import("./original-error.tsx")}>
          {({ RefusedOriginalDialog }) => <RefusedOriginalDialog {...refused.value!} />}
        </Lazy>
      )}
      <Notice />
    </>
  );
}

/** For a path without a view: an explanation, and a link to the archive that it names. */
function NoView() {
  const [, archive] = /^\/a\/([^/]+)/.exec(location.pathname.slice(BASE_PATH.length)) ?? [];
  const way = `${BASE_PATH}/${archive === undefined ? "" : `a/${archive}/`}`;
  const { missing, missingHint, missingWay } = WORDS.states;
  useEffect(() => {
    document.title = `${missing} · ${WORDS.product}`;
  }, []);
  return (
    <main id="content" class="no-view">
      <div class="state">
        <Icon name="search" />
        <h1>{missing}</h1>
        <p>{missingHint}</p>
        <a class="button primary" href={way}>
          {missingWay}
        </a>
      </div>
    </main>
  );
}

/** The current view; the previous one stays until its code is loaded. */
function ViewSlot() {
  const { view } = useRoute();
  const shown = useSignal<{ readonly name: ViewName; readonly View: View } | null>(null);
  const fault = useSignal<Fault | null>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    let isWanted = true;
    fault.value = null;
    VIEWS[view]().then(
      (Loaded) => {
        if (!isWanted) return;
        shown.value = { name: view, View: Loaded };
        if (!isFirst.current) document.getElementById("content")?.focus({ preventScroll: true });
        isFirst.current = false;
      },
      (cause: unknown) => {
        if (isWanted) fault.value = codeFault(cause);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [view]);
  const { value } = shown;
  if (fault.value !== null) return <FaultMessage fault={fault.value} onRetry={() => location.reload()} />;
  if (value === null || value.name !== view) return <Skeleton rows={6} height={72} />;
  return <value.View />;
}

/** A bar for an error that affects the whole page. */
function Bar({ text, hint }: { readonly text: string; readonly hint: string }) {
  return (
    <div class="bar offline" role="alert">
      <Icon name="warning" />
      {text}. {hint}
    </div>
  );
}

/** Milliseconds that a notice is shown. */
const NOTICE_MS = 4000;

/** Shows a short confirmation. */
function Notice() {
  const { notice } = useApplication();
  const text = notice.value;
  useEffect(() => {
    if (text === "") return undefined;
    const timer = setTimeout(() => {
      notice.value = "";
    }, NOTICE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class={text === "" ? "notice" : "notice shown"} role="status">
      {text}
    </div>
  );
}
