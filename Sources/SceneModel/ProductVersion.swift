/// What all programs of this package answer to `--version`.
package let productVersion = "0.1.0"
