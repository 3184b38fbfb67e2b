import CountersignKeys

/// The digest that stands for a document too long to be signed as text.
enum DocumentDigest {
    /// SHA-256 of a document of any size, read block by block.
    static func sha256(of source: InputSource) throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            let file = try source.open()
            var digest = SHA256()
            var block: [UInt8] = []
            while try file.append(to: &block, upTo: 1 << 18) {
                digest.update(block.span)
                block.removeAll(keepingCapacity: true)
            }
            return digest.finalize()
        } catch {
            throw Failure(.refusedInput, "cannot read \(source.name): \(error.text)")
        }
    }
}
