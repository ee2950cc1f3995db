import { useSignal } from "@preact/signals";
import { useApi, useApplication } from "../application.ts";
import { faultText } from "../shell/fault.ts";
import { WORDS } from "../words/words.ts";

const { message: words } = WORDS;

/** Asks for the password of a protected source; the server keeps it in memory, for as long as it runs. */
export function PasswordForm({ onGiven }: { readonly onGiven: () => void }) {
  const { answers } = useApplication();
  const api = useApi();
  const text = useSignal("");
  const status = useSignal("");
  const give = async (): Promise<void> => {
    const password = text.value;
    text.value = "";
    try {
      await answers.post(api("/originals/password"), { password });
      onGiven();
    } catch (cause) {
      status.value = faultText(cause);
    }
  };
  return (
    <form
      class="password-form"
      onSubmit={(event) => {
        event.preventDefault();
        void give();
      }}
    >
      <p>{words.protected}</p>
      <input
        type="password"
        autocomplete="off"
        aria-label={words.password}
        placeholder={words.password}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
      <button type="submit" class="button" disabled={text.value === ""}>
        {words.open}
      </button>
      <p role="alert">{status.value}</p>
    </form>
  );
}
