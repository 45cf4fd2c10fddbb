import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/**
 * Reads one text a line, as an x and four hexadecimal digits for each UTF-16 unit, and answers with one line of its tokens:
 * position, start, end and, coded as the text is, the term, with colons between them and spaces between the tokens.
 */
public final class Tokens {
  public static void main(String[] args) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    try (StandardAnalyzer analyzer = new StandardAnalyzer(CharArraySet.EMPTY_SET);
        PrintStream out = new PrintStream(new BufferedOutputStream(System.out, 1 << 16))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.append(tokens(analyzer, decode(line))).append('\n');
      }
    }
  }

  private static String tokens(StandardAnalyzer analyzer, String text) throws IOException {
    StringBuilder answer = new StringBuilder();
    try (TokenStream stream = analyzer.tokenStream("field", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      OffsetAttribute offset = stream.addAttribute(OffsetAttribute.class);
      PositionIncrementAttribute increment = stream.addAttribute(PositionIncrementAttribute.class);
      stream.reset();
      for (int position = -1; stream.incrementToken(); ) {
        position += increment.getPositionIncrement();
        if (answer.length() > 0) answer.append(' ');
        answer.append(position).append(':').append(offset.startOffset()).append(':').append(offset.endOffset()).append(":x");
        for (int i = 0; i < term.length(); i++) encode(term.charAt(i), answer);
      }
      stream.end();
    }
    return answer.toString();
  }

  private static String decode(String word) {
    char[] units = new char[word.length() / 4];
    for (int i = 0; i < units.length; i++) units[i] = (char) Integer.parseInt(word, 4 * i + 1, 4 * i + 5, 16);
    return new String(units);
  }

  private static void encode(char unit, StringBuilder out) {
    for (int shift = 12; shift >= 0; shift -= 4) out.append(Character.forDigit((unit >> shift) & 15, 16));
  }
}
