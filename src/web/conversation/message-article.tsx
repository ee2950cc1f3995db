import { useSignal } from "@preact/signals";
import type { ThreadMessageWire } from "../../http/explore-api/wire/wire-messages.ts";
import { useAddress, useApplication } from "../application.ts";
import { MarkBar } from "../notebook/mark-editor.tsx";
import { FileCards } from "../parts/file-cards.tsx";
import { momentOf } from "../parts/formats.ts";
import { Lazy } from "../parts/lazy.tsx";
import { nameOf } from "../parts/person.ts";
import { operatorClause } from "../shell/query-text.ts";
import { WORDS } from "../words/words.ts";
import { useDisplayOptions } from "./display-options.ts";
import { MailText } from "./mail-text.tsx";
import { People } from "./people-line.tsx";
import { PrintFoot } from "./print-foot.tsx";

interface ArticleProps {
  readonly message: ThreadMessageWire;
  /** Depth in the reply tree; 0 in order of time. */
  readonly depth: number;
  /** True for the message in the URL. */
  readonly isNamed: boolean;
  /** True if the subject equals that of the conversation. */
  readonly isSubjectShown: boolean;
}

/** A message of a conversation. */
export function MessageArticle({ message, depth, isNamed, isSubjectShown }: ArticleProps) {
  const { isUtc } = useApplication();
  const address = useAddress();
  const { formatted, turnFormatted } = useDisplayOptions();
  const areDetailsOpen = useSignal(false);
  const { id, from, sent_at, subject, places, labels } = message;
  const author = from === null ? WORDS.noSender : nameOf(from);
  const showDetails = (): void => {
    areDetailsOpen.value = true;
  };
  const isFormatted = formatted.has(id);
  return (
    <article
      id={id}
      class={isNamed ? "message reply named" : "message reply"}
      data-depth={depth}
      style={{ "--depth": depth }}
      tabIndex={-1}
      aria-label={author}
    >
      <header>
        <p class="line">
          {from === null ? (
            <b>{author}</b>
          ) : (
            <a
              class="who"
              href={address("search", {}, { q: operatorClause("from", from.contact_id ?? from.email) })}
              title={from.email}
            >
              <bdi>{author}</bdi>
            </a>
          )}
          {from === null || from.name === "" ? null : <bdi class="quiet address">{from.email}</bdi>}
          <a class="when" href={address("message", { id })} title={sent_at ?? ""}>
            <time>{sent_at === null ? WORDS.undated : momentOf(sent_at, isUtc.value)}</time>
          </a>
        </p>
        {isSubjectShown ? null : (
          <p class="own-subject" dir="auto">
            {subject === "" ? WORDS.noSubject : subject}
          </p>
        )}
        <Recipients message={message} onAll={showDetails} />
      </header>
      {areDetailsOpen.value ? (
        <Lazy load={() => import("./message-details.tsx")}>{({ MessageDetails }) => <MessageDetails id={id} />}</Lazy>
      ) : null}
      {isFormatted ? (
        <Lazy load={() => import("./formatted-mail.tsx")} meanwhile={<MailText message={message} />}>
          {({ FormattedMail }) => (
            <FormattedMail id={id}>
              <MailText message={message} />
            </FormattedMail>
          )}
        </Lazy>
      ) : (
        <MailText message={message} />
      )}
      <FileCards of={`/messages/${id}`} files={message.attachments} />
      <PrintFoot messageId={message.message_id} sha256={message.sha256} />
      <MarkBar kind="message" id={id} />
      <p class="related quiet">
        <button
          type="button"
          class="text"
          aria-expanded={areDetailsOpen.value}
          onClick={() => {
            areDetailsOpen.value = !areDetailsOpen.value;
          }}
        >
          {WORDS.message.details}
        </button>
        <button type="button" class="text html" aria-pressed={isFormatted} onClick={() => turnFormatted(id)}>
          {WORDS.message.html}
        </button>
        <a href={address("search", {}, { q: message.mailbox_clause })}>
          <bdi>{message.mailbox_label}</bdi>
        </a>
        {places > 1 ? (
          <button type="button" class="text" onClick={showDetails}>
            {WORDS.search.places(places)}
          </button>
        ) : null}
        {labels.map((label) => (
          <a key={label} class="label" href={address("search", {}, { q: operatorClause("label", bareLabel(label)) })}>
            {bareLabel(label)}
          </a>
        ))}
      </p>
    </article>
  );
}

/** A label without the prefix that distinguishes it from a flag. */
function bareLabel(label: string): string {
  return label.replace(/^label:/, "");
}

interface RecipientsProps {
  readonly message: ThreadMessageWire;
  /** Shows all of them. */
  readonly onAll: () => void;
}

function Recipients({ message: { to, to_count, cc_count }, onAll }: RecipientsProps) {
  if (to_count + cc_count === 0) return null;
  const rest = to_count - to.length;
  const others = `${rest > 0 ? WORDS.message.moreRecipients(rest) : ""}${cc_count > 0 ? WORDS.message.copied(cc_count) : ""}`;
  return (
    <p class="recipients quiet">
      {`${WORDS.message.toShort} `}
      <People people={to} operator="to" areAddressesShown={false} />
      {others === "" ? null : (
        <>
          <button type="button" class="text" onClick={onAll}>
            {others}
          </button>
          <span class="print-only">{others}</span>
        </>
      )}
    </p>
  );
}
