import { AboutView } from "./about-view.tsx";
import { WarningsView } from "./warnings-view.tsx";

/** Views that are loaded together: one file is smaller than several. */
export const ABOUT_VIEWS = { about: AboutView, warnings: WarningsView } as const;
