import { render } from "preact";
import type { ViewName } from "./addresses.ts";
import { ApplicationContext, createApplication } from "./application.ts";
import { boundMarks } from "./bounded-marks.ts";
import { Frame } from "./frame/frame.tsx";
import type { ShellData } from "./shell-data.ts";
import { VIEWS } from "./views.ts";

const shell = JSON.parse(document.getElementById("shell")!.textContent!) as ShellData;
const root = document.getElementById("application")!;
root.replaceChildren();
boundMarks();
render(
  <ApplicationContext.Provider value={createApplication(shell, new Set(Object.keys(VIEWS) as ViewName[]))}>
    <Frame />
  </ApplicationContext.Provider>,
  root,
);
