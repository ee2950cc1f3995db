import { useSignal } from "@preact/signals";
import type { RowWire } from "../../http/explore-api/wire.ts";
import type { MessageDetailWire } from "../../http/query-api/wire.ts";
import { useAddress } from "../application.ts";
import { nameOf } from "../person.ts";
import { operatorClause } from "../query-text.ts";
import { WORDS } from "../words.ts";

/** Recipients that are shown before somebody asks for all: one mail had 1,029. */
const FEW_RECIPIENTS = 8;

interface RecipientsProps {
  readonly row: RowWire;
  readonly message: MessageDetailWire;
}

/** Whom a message went to, names before addresses. */
export function Recipients({ row, message }: RecipientsProps) {
  const named = new Map(row.to.map((person) => [person.email.toLowerCase(), nameOf(person)]));
  return (
    <dl class="fields quiet">
      <Field
        name={WORDS.message.sender}
        operator="from"
        emails={message.sender_email === null ? [] : [message.sender_email]}
        named={named}
      />
      <Field name={WORDS.message.to} operator="to" emails={message.to_emails} named={named} />
      <Field name={WORDS.message.cc} operator="cc" emails={message.cc_emails} named={named} />
      <Field name={WORDS.message.bcc} operator="cc" emails={message.bcc_emails} named={named} />
    </dl>
  );
}

interface FieldProps {
  readonly name: string;
  readonly operator: string;
  readonly emails: readonly string[];
  readonly named: ReadonlyMap<string, string>;
}

function Field({ name, operator, emails, named }: FieldProps) {
  const address = useAddress();
  const isOpen = useSignal(false);
  if (emails.length === 0) return null;
  const shown = isOpen.value ? emails : emails.slice(0, FEW_RECIPIENTS);
  const rest = emails.length - shown.length;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {shown.map((email, index) => (
          <span key={`${index} ${email}`}>
            {index === 0 ? "" : ", "}
            <a href={address("search", {}, { q: operatorClause(operator, email) })} title={email}>
              <bdi>{named.get(email.toLowerCase()) ?? email}</bdi>
            </a>
          </span>
        ))}
        {rest === 0 ? null : (
          <button
            type="button"
            class="text"
            onClick={() => {
              isOpen.value = true;
            }}
          >
            {WORDS.message.moreRecipients(rest)}
          </button>
        )}
      </dd>
    </div>
  );
}
