import { render } from "preact";
import { ApplicationContext, createApplication } from "./application.ts";
import { Frame } from "./frame/frame.tsx";
import { boundMarks } from "./parts/bounded-marks.ts";
import type { ShellData } from "./shell/shell-data.ts";

const shell = JSON.parse(document.getElementById("shell")!.textContent!) as ShellData;
const root = document.getElementById("application")!;
root.replaceChildren();
boundMarks();
render(
  <ApplicationContext.Provider value={createApplication(shell)}>
    <Frame />
  </ApplicationContext.Provider>,
  root,
);
