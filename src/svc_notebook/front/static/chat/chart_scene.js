// Whether a chart that was drawn shows anything: its scene, looked into as scene.py does before a chart is sent.

/** Items that stand for data: not axes, legends, titles and backgrounds. @param {any} root @returns {Generator<any>} */
function* dataMarks(root) {
  const stack = [root];
  while (stack.length) {
    const node = stack.pop();
    for (const item of node?.items ?? []) { // a legend holds places without an item
      if (node.role === "mark" && node.marktype !== "group") yield { item, kind: node.marktype };
      else stack.push(item);
    }
  }
}

function visible({ item, kind }) {
  if (item.opacity === 0 || (kind !== "image" && !item.fill && !item.stroke)) return false;
  if (kind === "rect") return item.width !== 0 && item.height !== 0;
  if (kind === "arc") return item.startAngle !== item.endAngle;
  if (kind === "text") return item.text !== "" && item.text !== null && item.text !== undefined;
  return kind !== "symbol" || item.size !== 0;
}

/** Why nobody would see the chart; empty where it shows something. @param {any} view Vega's */
export function troubleOf(view) {
  let some = false;
  for (const mark of dataMarks(view.scenegraph().root)) {
    if (visible(mark)) return "";
    some = true;
  }
  return some ? "its marks have no size" : "no row of the result is drawn";
}
