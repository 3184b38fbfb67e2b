/// SVG as text: a few elements, nothing from elsewhere.
struct SVGText {
    private(set) var text = ""

    /// An element without content. A value is a number or a word of this program's.
    mutating func element(_ name: String, _ attributes: [(String, String)], title: String? = nil) {
        open(name, attributes)
        if let title { text += ">\(Self.element("title", title))</\(name)>\n" } else { text += "/>\n" }
    }

    /// A line of text.
    mutating func write(_ words: String, x: Double, y: Double, class name: String) {
        open("text", [("x", Self.number(x)), ("y", Self.number(y)), ("class", name)])
        text += ">\(Self.escaped(words))</text>\n"
    }

    /// A straight line.
    mutating func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double), class name: String) {
        element(
            "line",
            [
                ("x1", Self.number(start.x)), ("y1", Self.number(start.y)), ("x2", Self.number(end.x)),
                ("y2", Self.number(end.y)), ("class", name),
            ])
    }

    /// The whole document.
    ///
    /// - Parameter style: CSS, which is this program's own.
    func document(width: Double, height: Double, title: String, style: String) -> [UInt8] {
        let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
        let box = "viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\""
        return Array(
            ("<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) \(box) role=\"img\">\n"
                + Self.element("title", title) + "\n<style>\n\(style)</style>\n\(text)</svg>\n").utf8)
    }

    /// To a tenth of a pixel.
    static func number(_ value: Double) -> String {
        Figures.decimal(value, places: 1).filter { $0 != "," }
    }

    private mutating func open(_ name: String, _ attributes: [(String, String)]) {
        text += "<\(name)" + attributes.map { " \($0)=\"\(Self.escaped($1))\"" }.joined()
    }

    private static func element(_ name: String, _ content: String) -> String {
        "<\(name)>\(escaped(content))</\(name)>"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
    }
}
