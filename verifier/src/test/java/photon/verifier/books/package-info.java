/** Start at {@link photon.verifier.books.BooksTest}. */
@NullMarked
package photon.verifier.books;

import org.jspecify.annotations.NullMarked;
