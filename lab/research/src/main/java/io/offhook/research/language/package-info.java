/** Which language sets the fields: the same small work on 100,000 packets by C, Java, and Java that calls C. */
@NullMarked
package io.offhook.research.language;

import org.jspecify.annotations.NullMarked;
