/** The fixed markup of the page. Everything that comes from mail is filled in by the script. */
export const PAGE_BODY = `<a class="skip" href="#contact-table" id="skip-to-table">Skip to the table of contacts</a>
<header>
  <div class="heading">
    <h1>Contact graph</h1>
    <p id="summary"></p>
  </div>
  <div class="search" role="search">
    <label class="unseen" for="search">Find a contact</label>
    <input id="search" type="search" placeholder="Find a name or address" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="search-results" aria-autocomplete="list">
    <kbd aria-hidden="true">/</kbd>
    <ul id="search-results" role="listbox" aria-label="Contacts found" hidden></ul>
  </div>
  <div class="switches">
    <div class="switch" role="group" aria-label="View">
      <button type="button" id="show-graph" aria-pressed="true">Graph</button>
      <button type="button" id="show-table" aria-pressed="false">Table</button>
    </div>
    <button type="button" id="theme" class="plain" aria-label="Dark mode" aria-pressed="false"><span aria-hidden="true">◐</span></button>
  </div>
</header>
<main>
  <aside aria-label="Filters">
    <details id="filters" open>
      <summary>Filters</summary>
      <section aria-labelledby="communities-title">
        <div class="section-head">
          <h2 id="communities-title">Communities</h2>
          <button type="button" id="all-communities" class="text">Show all</button>
        </div>
        <ul id="legend"></ul>
      </section>
      <section aria-labelledby="time-title" id="time">
        <div class="section-head">
          <h2 id="time-title">Time</h2>
          <button type="button" id="all-times" class="text">Whole range</button>
        </div>
        <p id="time-text" aria-live="polite"></p>
        <canvas id="time-chart" aria-hidden="true"></canvas>
        <div class="range">
          <input type="range" id="time-from" aria-label="Seen from month" min="0" step="1">
          <input type="range" id="time-to" aria-label="Seen until month" min="0" step="1">
        </div>
      </section>
      <p class="note">A circle is a contact: the more messages, the larger. A line is mail between two of them.</p>
      <p class="note" id="left-out"></p>
    </details>
  </aside>
  <section id="graph-view" aria-label="Graph">
    <canvas id="graph" tabindex="0" role="application" aria-roledescription="contact graph" aria-label="Contact graph" aria-describedby="graph-keys"></canvas>
    <p class="unseen" id="graph-keys">Arrow keys move to the next contact in that direction, Enter shows its details, plus and minus zoom, 0 shows everything, Escape clears. The same contacts are in the table view.</p>
    <p class="unseen" id="announcement" role="status" aria-live="polite"></p>
    <div id="tooltip" role="tooltip" hidden></div>
    <div class="zoom" role="group" aria-label="Zoom">
      <button type="button" id="zoom-in" aria-label="Zoom in">+</button>
      <output id="zoom-level" aria-label="Zoom level">100 %</output>
      <button type="button" id="zoom-out" aria-label="Zoom out">−</button>
      <button type="button" id="zoom-fit" aria-label="Show everything">⤢</button>
    </div>
    <p id="shown" role="status"></p>
    <article id="details" aria-label="Contact details" hidden></article>
  </section>
  <section id="table-view" aria-label="Table" hidden>
    <table id="contact-table" tabindex="-1">
      <caption id="table-caption"></caption>
      <thead><tr id="table-head"></tr></thead>
      <tbody id="table-rows"></tbody>
    </table>
  </section>
</main>
<noscript>This page needs JavaScript; it loads nothing from the network.</noscript>`;
