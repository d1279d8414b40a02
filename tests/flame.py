"""flame.py SVG [JSON [EVENT]] - checks that a flame graph says the truth: what its frames add up to, where they are, what is written at
them, and that they are the paths of `report --json=tree`. Says "true", or what is wrong. browsers.py checks what a browser draws by it."""
import collections
import json
import re
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
Frame = collections.namedtuple("Frame", "depth start value self hidden n_hidden name inlined x y width parent")


def check_title(title, value, self, hidden, n_hidden):
    """What people read is what was counted."""
    numbers = title.split("\n", 1)[1]
    if not re.search(r"^\S+ %s \(" % format(value, ","), numbers):
        sys.exit("%r has %d" % (title, value))
    if self and not re.search(r"(self|with no caller) %s \(" % format(self, ","), numbers):
        sys.exit("%r has %d itself" % (title, self))
    if n_hidden and not re.search(r"^%d narrow ones? (is|are) left out here: %s$" % (n_hidden, format(hidden, ",")), numbers, re.M):
        sys.exit("%r hides %d, %d" % (title, n_hidden, hidden))


def frames_of(drawn):
    """The frames of [data-v, title, inlined, x, y, width] each, in the order of the picture."""
    frames, path = [], []
    for numbers, title, inlined, x, y, width in drawn:
        depth, start, value, self, hidden, n_hidden = (int(number) for number in numbers.split())
        name = title.split("\n")[0]
        if inlined != name.endswith(" (inlined)"):
            sys.exit("'%s' is marked in one place only" % name)
        check_title(title, value, self, hidden, n_hidden)
        del path[depth:]
        path.append(len(frames))
        frames.append(Frame(depth, start, value, self, hidden, n_hidden, re.sub(r" \(inlined\)$", "", name), inlined,
                            x, y, width, path[-2] if depth else None))
    return frames


def drawn_in(root):
    """What frames_of() takes, of a file."""
    for g in root.find("%sg[@class='frames']" % SVG):
        rect = g.find(SVG + "rect")
        yield [g.get("data-v"), g.find(SVG + "title").text, g.get("class") == "i",
               float(rect.get("x")), float(rect.get("y")), float(rect.get("width"))]


def check_sums(frames):
    ends = [frame.start for frame in frames]  # of the frames on each, so far
    sums = [frame.self + frame.hidden for frame in frames]
    for i, frame in enumerate(frames):
        if frame.parent is None:
            continue
        if frame.start != ends[frame.parent] or frame.depth != frames[frame.parent].depth + 1:
            sys.exit("frame %d '%s' is not beside its neighbour" % (i, frame.name))
        ends[frame.parent] += frame.value
        sums[frame.parent] += frame.value
    for i, frame in enumerate(frames):
        if sums[i] != frame.value:
            sys.exit("frame %d '%s' has %d, its parts %d" % (i, frame.name, frame.value, sums[i]))
        if frame.value <= 0 or (frame.hidden > 0) != (frame.n_hidden > 0):
            sys.exit("frame %d '%s' is empty" % (i, frame.name))


def check_places(frames, left, width, row=18, exact=0.011):
    scale = width / frames[0].value
    for i, frame in enumerate(frames):
        if abs(frame.x - left - frame.start * scale) > exact or abs(frame.width - frame.value * scale) > exact:
            sys.exit("frame %d '%s' is at the wrong place" % (i, frame.name))
        if abs(abs(frame.y - frames[0].y) - row * frame.depth) > exact:
            sys.exit("frame %d '%s' is on the wrong level" % (i, frame.name))


def shown(name):
    """As text.h says."""
    return re.sub("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]", "\ufffd", name)


def plain(name):
    """Without what tells functions of one name apart: JSON has the names alone."""
    return re.sub(r" (\[\d+\]|#\d+)$", "", name)


def paths_of(document, event):
    """How often each path is in the JSON tree, with its costs."""
    paths, waiting = collections.Counter(), [(document["tree"], ())]
    while waiting:
        node, above = waiting.pop()
        path = above + ((plain(shown(node["name"])), bool(node.get("inlined"))),)
        if node["inclusive"][event]:
            paths[path, node["inclusive"][event], node["self"][event]] += 1
        waiting += [(child, path) for child in node["children"]]
    return paths


def check_paths(frames, document, event):
    want, paths = paths_of(document, event), []
    for frame in frames:
        paths.append((paths[frame.parent] if frame.depth else ()) + ((plain(frame.name), frame.inlined),))
    got = collections.Counter((path, frame.value, frame.self) for path, frame in zip(paths, frames))
    if got - want:
        sys.exit("not in the tree: %s" % list(got - want)[:3])
    least = min(frame.value for frame in frames)
    missing = [path for path in want - got if path[1] > least]
    if missing:
        sys.exit("not drawn: %s" % missing[:3])
    check_total(frames, document, event)


def check_total(frames, document, event):
    if frames[0].value != document["totals"][event]:
        sys.exit("the root has %d, the program %d" % (frames[0].value, document["totals"][event]))
    if sum(frame.hidden for frame in frames) + sum(frame.self for frame in frames) != frames[0].value:
        sys.exit("something is lost")


def main():
    root = tree.parse(sys.argv[1]).getroot()
    frames = frames_of(drawn_in(root))
    check_sums(frames)
    check_places(frames, *(float(number) for number in root.get("data-geometry").split()[:2]))
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf-8") as file:
            check_paths(frames, json.load(file), sys.argv[3] if len(sys.argv) > 3 else "Ir")
    print("true")


if __name__ == "__main__":
    main()
