import { useSignal } from "@preact/signals";
import { useApplication } from "../application.ts";
import { BASE_PATH } from "../shell/addresses.ts";
import { faultText } from "../shell/fault.ts";
import { WORDS } from "../words/words.ts";

/** Asks for the service token, which is sent once and replaced by a cookie. */
export function SignIn() {
  const { answers, drafts } = useApplication();
  const fault = useSignal("");
  const { signIn } = WORDS;
  const submit = async (token: string): Promise<void> => {
    try {
      await answers.post(`${BASE_PATH}/session`, { token });
      await drafts.handOver();
      answers.signIn();
    } catch (cause) {
      fault.value = faultText(cause);
    }
  };
  return (
    <main id="content" class="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(String(new FormData(event.currentTarget).get("token") ?? ""));
        }}
      >
        <h1>{signIn.title}</h1>
        {answers.hasEnded ? <p role="status">{signIn.ended}</p> : null}
        <p class="quiet">{signIn.hint}</p>
        {/* A user name for password managers: there is only one token. */}
        <input type="text" name="username" autocomplete="username" value={WORDS.product} readOnly hidden />
        <label class="field">
          {signIn.token}
          <input type="password" name="token" autocomplete="current-password" required />
        </label>
        {fault.value === "" ? null : <p role="alert">{fault.value}</p>}
        <button type="submit" class="button primary">
          {signIn.submit}
        </button>
      </form>
    </main>
  );
}
