/** The fixed markup of the page. Everything else, and all that comes from mail, is filled in by the script. */
export const PAGE_BODY = `<a class="skip" href="#contact-table" id="skip-to-table">Skip to the table of contacts</a>
<header>
  <div class="heading">
    <h1>Contact graph</h1>
    <p id="summary"></p>
  </div>
  <button type="button" id="theme" aria-label="Dark mode" aria-pressed="false"><span aria-hidden="true">◐</span></button>
</header>
<main id="graph-page"></main>
<noscript>This page needs JavaScript; it loads nothing from the network.</noscript>`;
