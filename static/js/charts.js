// Charts of the tables they stand over: every figure is read from the cells below, so there is
// nothing in a chart that the page does not say in words. They stand still, and are made anew
// when the theme changes; on paper and without scripts the tables and small lines are all there is.

/* global Chart */

const TINTS = ["ff", "b3", "73", "40"]; // of a side's colour, part by part
const DASHES = [[], [7, 4], [2, 3]];

const styles = (node) => (name) => getComputedStyle(node).getPropertyValue(name).trim();
const number = (cell) => Number(cell.textContent.trim().replace("\u2212", "-"));
const rowsOf = (table) => [...table.tBodies[0].rows];
const headsOf = (table) => [...table.tHead.rows[0].cells];

// A line a column that is marked, which holds until the next row.
function steps(table) {
  const rows = rowsOf(table);
  const datasets = headsOf(table)
    .filter((head) => head.dataset.series)
    .map((head, n) => {
      const ink = styles(head)("--side-ink");
      return {
        label: head.dataset.series,
        data: rows.map((row) => number(row.cells[head.cellIndex])),
        stepped: "before",
        borderColor: ink,
        backgroundColor: ink,
        borderDash: DASHES[n % DASHES.length],
        borderWidth: 3,
        pointRadius: 4,
        pointStyle: ["circle", "rect"][n % 2],
      };
    });
  return { type: "line", data: { labels: rows.map((row) => row.cells[0].textContent), datasets } };
}

// Bars over each other: one heap a side and turn, one layer a kind. The legend names the sides;
// what a layer is, its tip and the table say.
function heaps(table) {
  const place = {};
  for (const head of headsOf(table)) place[head.dataset.heap] = head.cellIndex;
  const labels = [];
  const layers = new Map();
  for (const row of rowsOf(table)) {
    const [turn, side, what] = ["turn", "side", "what"].map((name) => row.cells[place[name]].textContent.trim());
    if (!labels.includes(turn)) labels.push(turn);
    const name = `${side}: ${what}`;
    if (!layers.has(name)) {
      const own = [...layers.values()].filter((layer) => layer.stack === side).length;
      const style = styles(row);
      layers.set(name, {
        label: name,
        stack: side,
        data: [],
        backgroundColor: style("--side-fill") + TINTS[own % TINTS.length],
        borderColor: style("--side-ink"),
        borderWidth: 1,
      });
    }
    layers.get(name).data[labels.indexOf(turn)] = number(row.cells[place.lost]);
  }
  return { type: "bar", data: { labels, datasets: [...layers.values()] }, stacked: true };
}

const KINDS = { steps, heaps };

const lineSigns = () => ({ color: styles(document.body)("--ink"), boxWidth: 36, boxHeight: 0 });

function heapSigns() {
  const seen = (items) => (item, at) => items.findIndex((other) => other.text === item.text) === at;
  const generateLabels = (chart) => {
    const items = Chart.defaults.plugins.legend.labels.generateLabels(chart);
    for (const item of items) item.text = chart.data.datasets[item.datasetIndex].stack;
    return items.filter(seen(items));
  };
  return { color: styles(document.body)("--ink"), boxWidth: 16, generateLabels };
}

function options(table, stacked) {
  const style = styles(document.body);
  const axis = (title) => ({
    stacked,
    title: { display: true, text: title, color: style("--ink-soft") },
    ticks: { color: style("--ink-soft"), precision: 0 },
    grid: { color: style("--rule") },
    border: { color: style("--rule-strong") },
  });
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: "index", intersect: false },
    plugins: {
      legend: { position: "bottom", onClick: null, labels: stacked ? heapSigns() : lineSigns() },
      tooltip: { filter: (item) => item.parsed.y !== null },
    },
    scales: {
      x: axis(headsOf(table)[0].textContent),
      y: { ...axis(table.dataset.measure), beginAtZero: true },
    },
  };
}

function draw(table) {
  const figure = document.createElement("figure");
  const canvas = document.createElement("canvas");
  figure.className = "chart";
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `Chart: ${table.caption.textContent}. The table below holds its figures.`);
  figure.append(canvas);
  table.closest(".scroll").before(figure);
  let chart = null;
  const make = () => {
    chart?.destroy();
    const { stacked, ...rest } = KINDS[table.dataset.chart](table);
    chart = new Chart(canvas, { ...rest, options: options(table, stacked) });
  };
  make();
  return make;
}

Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
const remake = [...document.querySelectorAll("table[data-chart]")].map(draw);
document.documentElement.classList.add("charted");
new MutationObserver(() => remake.forEach((make) => make())).observe(document.documentElement, {
  attributeFilter: ["data-bs-theme"],
});
