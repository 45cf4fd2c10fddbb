import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.LevenshteinAutomata;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.apache.lucene.util.automaton.UTF32ToUTF8;

/**
 * Answers questions about patterns, one line for each line read. A text is an x and four hexadecimal digits for each of
 * its UTF-16 units; the words of a line are separated by one space.
 *
 * terms TEXT...        from now on ask an index in which each text is the one term of a document: ok
 * texts TEXT...        from now on ask an index of texts, whose terms are separated by spaces: ok
 * prefix TEXT          the numbers of the documents found, or "refused" and why; so do the next four
 * wildcard TEXT
 * regexp TEXT
 * fuzzy EDITS TEXT
 * near EDITS TEXT      how many states the automaton of a fuzzy term has, by bytes
 * phrase SLOP TEXT...
 * states TEXT          how many states the automaton of a regular expression has
 * query TEXT           what the classic parser makes of a query
 */
public final class Patterns {
  private static final String FIELD = "field";

  public static void main(String[] args) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
    Patterns patterns = new Patterns();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.print(patterns.answer(Arrays.asList(line.split(" ")).iterator()) + "\n");
      out.flush();
    }
  }

  private IndexSearcher searcher;

  private String answer(Iterator<String> words) throws IOException {
    try {
      switch (words.next()) {
        case "terms":
          searcher = index(words, new IndexWriterConfig(new KeywordAnalyzer()));
          return "ok";
        case "texts":
          searcher = index(words, new IndexWriterConfig(new WhitespaceAnalyzer()));
          return "ok";
        case "prefix":
          return hits(new PrefixQuery(term(words)));
        case "wildcard":
          return hits(new WildcardQuery(term(words)));
        case "regexp":
          return hits(new RegexpQuery(term(words)));
        case "fuzzy":
          int edits = Integer.parseInt(words.next());
          return hits(new FuzzyQuery(term(words), edits, 0, 1024, true));
        case "phrase":
          PhraseQuery.Builder phrase = new PhraseQuery.Builder().setSlop(Integer.parseInt(words.next()));
          while (words.hasNext()) phrase.add(term(words));
          return hits(phrase.build());
        case "states":
          return "" + new RegExp(decode(words.next())).toAutomaton(10000).getNumStates();
        case "near":
          int away = Integer.parseInt(words.next());
          Automaton near = new LevenshteinAutomata(decode(words.next()), true).toAutomaton(away);
          return "" + Operations.determinize(new UTF32ToUTF8().convert(near), 10000).getNumStates();
        case "query":
          QueryParser parser = new QueryParser(FIELD, new WhitespaceAnalyzer());
          parser.setAllowLeadingWildcard(true);
          return parser.parse(decode(words.next())).toString(FIELD).replace('\n', ' ');
        default:
          return "unknown";
      }
    } catch (Exception | OutOfMemoryError | StackOverflowError refusal) {
      return ("refused " + refusal.getMessage()).replaceAll("[^ -~]", "?");
    }
  }

  private static IndexSearcher index(Iterator<String> texts, IndexWriterConfig config) throws IOException {
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      while (texts.hasNext()) {
        Document document = new Document();
        document.add(new TextField(FIELD, decode(texts.next()), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    return new IndexSearcher(DirectoryReader.open(directory));
  }

  private String hits(Query query) throws IOException {
    StringBuilder answer = new StringBuilder();
    searcher.search(
        query,
        new SimpleCollector() {
          private int base;

          @Override
          protected void doSetNextReader(LeafReaderContext context) {
            base = context.docBase;
          }

          @Override
          public void collect(int document) {
            if (answer.length() > 0) answer.append(' ');
            answer.append(base + document);
          }

          @Override
          public ScoreMode scoreMode() {
            return ScoreMode.COMPLETE_NO_SCORES;
          }
        });
    return answer.toString();
  }

  private static Term term(Iterator<String> words) {
    return new Term(FIELD, decode(words.next()));
  }

  private static String decode(String word) {
    char[] units = new char[word.length() / 4];
    for (int i = 0; i < units.length; i++) units[i] = (char) Integer.parseInt(word, 4 * i + 1, 4 * i + 5, 16);
    return new String(units);
  }
}
