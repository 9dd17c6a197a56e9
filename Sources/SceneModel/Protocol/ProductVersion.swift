/// The version of all programs of this package.
package let productVersion = "0.1.0"
