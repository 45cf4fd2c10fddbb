import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.NormsFieldExistsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.search.similarity.LegacyBM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;

/**
 * Searches logs, with Lucene's classic parser wired the way query_string wires it. Answers with one line for each line
 * read. A text is an x and four hexadecimal digits for each of its UTF-16 units; the words of a line are separated by
 * one space.
 *
 * field NAME TYPE          a field of the logs: text, keyword, integer or decimal; names are texts
 * defaults NAME...         the fields that a clause searches which names none
 * operator OPERATOR        what joins clauses that nothing joins: or, and
 * engine NAME              whose settings the parser has: deployment, elasticsearch, lucene
 * log [NAME VALUE]...      one more log
 * search TEXT              the numbers of the logs found, from 0 on, or "refused" and why
 * rank TEXT                the logs found by relevance, each with its score as NUMBER:SCORE, or "refused" and why
 * clauses TEXT             what the parser makes of a query
 */
public final class Searches {
  public static void main(String[] args) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
    Searches searches = new Searches();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.print(searches.answer(Arrays.asList(line.split(" ")).iterator()) + "\n");
    }
    out.flush();
  }

  /** Type of the index of a field. */
  enum Type {
    TEXT,
    KEYWORD,
    INTEGER,
    DECIMAL
  }

  /** Which fields of a log have a value, a text field at least one token. */
  private static final String PRESENT = " present";

  private static final Analyzer ANALYZER = new StandardAnalyzer(CharArraySet.EMPTY_SET);

  /** Stands for the edits that the length of a term allows. */
  private static final float AUTO = 77;

  private final Map<String, Type> fields = new LinkedHashMap<>();
  private final List<Document> logs = new ArrayList<>();
  private List<String> defaults = Collections.emptyList();
  private QueryParser.Operator operator = QueryParser.OR_OPERATOR;
  private boolean isLucene;
  private boolean isElasticsearch;
  private IndexSearcher searcher;

  private String answer(Iterator<String> words) throws IOException {
    try {
      switch (words.next()) {
        case "field":
          fields.put(decode(words.next()), Type.valueOf(words.next().toUpperCase()));
          return "ok";
        case "defaults":
          defaults = new ArrayList<>();
          while (words.hasNext()) defaults.add(decode(words.next()));
          return "ok";
        case "operator":
          operator = words.next().equals("and") ? QueryParser.AND_OPERATOR : QueryParser.OR_OPERATOR;
          return "ok";
        case "engine":
          String engine = words.next();
          isLucene = engine.equals("lucene");
          isElasticsearch = engine.equals("elasticsearch");
          return "ok";
        case "log":
          logs.add(log(words));
          searcher = null;
          return "ok";
        case "search":
          return hits(new Parser().parse(decode(words.next())));
        case "rank":
          return ranking(new Parser().parse(decode(words.next())));
        case "clauses":
          return new Parser().parse(decode(words.next())).toString().replaceAll("[^ -~]", "?");
        default:
          return "unknown";
      }
    } catch (ParseException | RuntimeException | OutOfMemoryError | StackOverflowError refusal) {
      return ("refused " + refusal.getMessage()).replaceAll("[^ -~]", "?");
    }
  }

  private Document log(Iterator<String> words) throws IOException {
    Document log = new Document();
    while (words.hasNext()) {
      String name = decode(words.next());
      String value = decode(words.next());
      if (!isText(name) || hasToken(name, value)) log.add(new StringField(PRESENT, name, Store.NO));
      switch (fields.get(name)) {
        case TEXT:
          log.add(new TextField(name, value, Store.NO));
          break;
        case KEYWORD:
          log.add(new StringField(name, value, Store.NO));
          break;
        case INTEGER:
          log.add(new LongPoint(name, Long.parseLong(value)));
          break;
        case DECIMAL:
          log.add(new DoublePoint(name, Double.parseDouble(value)));
          break;
      }
    }
    return log;
  }

  private static boolean hasToken(String name, String value) throws IOException {
    try (TokenStream tokens = ANALYZER.tokenStream(name, value)) {
      tokens.reset();
      return tokens.incrementToken();
    }
  }

  private String hits(Query query) throws IOException {
    if (searcher == null) searcher = index();
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

  /** Logs of the same score come in their order. */
  private String ranking(Query query) throws IOException {
    if (searcher == null) searcher = index();
    StringBuilder answer = new StringBuilder();
    for (ScoreDoc found : searcher.search(query, Math.max(1, logs.size())).scoreDocs) {
      if (answer.length() > 0) answer.append(' ');
      answer.append(found.doc).append(':').append(found.score);
    }
    return answer.toString();
  }

  private IndexSearcher index() throws IOException {
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(ANALYZER))) {
      writer.addDocuments(logs);
      writer.forceMerge(1);
    }
    IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(directory));
    if (!isLucene) searcher.setSimilarity(new LegacyBM25Similarity());
    return searcher;
  }

  /** The classic parser, each clause over all the fields that it searches. */
  private final class Parser extends QueryParser {
    Parser() {
      super(null, ANALYZER);
      setSplitOnWhitespace(false);
      setAutoGeneratePhraseQueries(false);
      setAllowLeadingWildcard(!isLucene);
      if (isElasticsearch) setFuzzyMinSim(AUTO);
      setDefaultOperator(operator);
    }

    @Override
    protected Query getFieldQuery(String field, String text, boolean quoted) throws ParseException {
      if (quoted) return getFieldQuery(field, text, getPhraseSlop());
      if (!isLucene && "_exists_".equals(field)) return exists(text);
      if (!isLucene && (field != null || defaults.size() == 1) && text.length() > 1) {
        boolean equal = text.length() > 2 && text.charAt(1) == '=';
        String bound = text.substring(equal ? 2 : 1);
        if (text.charAt(0) == '>') return getRangeQuery(field, bound, null, equal, true);
        if (text.charAt(0) == '<') return getRangeQuery(field, null, bound, true, equal);
      }
      Occur occur = operator == AND_OPERATOR ? Occur.MUST : Occur.SHOULD;
      return over(field, name -> isText(name) ? createBooleanQuery(name, text, occur) : exactly(name, text));
    }

    @Override
    protected Query getFieldQuery(String field, String text, int slop) {
      if (!isLucene && "_exists_".equals(field)) return exists(text);
      return over(field, name -> isText(name) ? createPhraseQuery(name, text, slop) : exactly(name, text));
    }

    @Override
    protected Query getRangeQuery(String field, String from, String to, boolean withFrom, boolean withTo) {
      String lower = !isLucene && "*".equals(from) ? null : from;
      String upper = !isLucene && "*".equals(to) ? null : to;
      return over(
          field,
          name -> {
            if (hasTerms(name)) {
              String first = lower == null ? null : normal(name, lower);
              String last = upper == null ? null : normal(name, upper);
              return TermRangeQuery.newStringRange(name, first, last, withFrom, withTo);
            }
            return leniently(() -> numbers(name, lower, upper, withFrom, withTo));
          });
    }

    @Override
    protected Query getPrefixQuery(String field, String text) throws ParseException {
      // Refuses what it does not begin with.
      super.getPrefixQuery("any", text);
      return overTerms(field, name -> new PrefixQuery(new Term(name, normal(name, text))));
    }

    @Override
    protected Query getWildcardQuery(String field, String text) throws ParseException {
      if (isLucene) super.getWildcardQuery(field == null ? "any" : field, text);
      if (text.equals("*")) return "*".equals(field) ? new MatchAllDocsQuery() : over(field, this::exists);
      return overTerms(field, name -> new WildcardQuery(new Term(name, normalPattern(name, text))));
    }

    @Override
    protected Query getRegexpQuery(String field, String text) {
      if (text.length() > 1000) throw new IllegalArgumentException("The length of regex has exceeded the maximum");
      return overTerms(field, name -> new RegexpQuery(new Term(name, normal(name, text))));
    }

    @Override
    protected Query getFuzzyQuery(String field, String text, float similarity) {
      return overTerms(
          field,
          name -> {
            String term = normal(name, text);
            int length = term.codePointCount(0, term.length());
            int edits = similarity == AUTO ? automaticEdits(length) : FuzzyQuery.floatToEdits(similarity, length);
            // As many terms as the engine can look for, unless it has its own limit.
            int most = isLucene || isElasticsearch ? FuzzyQuery.defaultMaxExpansions : 1024;
            return new FuzzyQuery(new Term(name, term), edits, 0, most, true);
          });
    }

    /** A level of prohibited clauses alone is taken from all logs. */
    @Override
    protected Query getBooleanQuery(List<BooleanClause> clauses) throws ParseException {
      if (!isLucene && !clauses.isEmpty() && clauses.stream().allMatch(BooleanClause::isProhibited)) {
        List<BooleanClause> repaired = new ArrayList<>(clauses);
        repaired.add(new BooleanClause(new MatchAllDocsQuery(), Occur.FILTER));
        return super.getBooleanQuery(repaired);
      }
      return super.getBooleanQuery(clauses);
    }

    private Query overTerms(String field, Function<String, Query> query) {
      return over(field, name -> hasTerms(name) ? query.apply(name) : new MatchNoDocsQuery());
    }

    /** The best of a query for each field; null where nothing is left of it in any. */
    private Query over(String field, Function<String, Query> queryFor) {
      Collection<String> names = field == null ? defaults : fieldsLike(field);
      if (names.isEmpty()) return new MatchNoDocsQuery();
      List<Query> queries = new ArrayList<>();
      for (String name : names) {
        Query query = queryFor.apply(name);
        if (query != null) queries.add(query);
      }
      if (queries.isEmpty()) return null;
      return queries.size() == 1 ? queries.get(0) : new DisjunctionMaxQuery(queries, 0);
    }

    private Query exists(String field) {
      BooleanQuery.Builder any = new BooleanQuery.Builder();
      for (String name : fieldsLike(field)) {
        boolean byNorms = isElasticsearch && isText(name);
        any.add(byNorms ? new NormsFieldExistsQuery(name) : new TermQuery(new Term(PRESENT, name)), Occur.SHOULD);
      }
      return new ConstantScoreQuery(any.build());
    }

    private Query exactly(String name, String value) {
      if (fields.get(name) == Type.KEYWORD) return new TermQuery(new Term(name, value));
      return leniently(
          () -> {
            double number = Double.parseDouble(value);
            if (fields.get(name) == Type.DECIMAL) return DoublePoint.newExactQuery(name, number);
            return number % 1 == 0 ? LongPoint.newExactQuery(name, toLong(value)) : new MatchNoDocsQuery();
          });
    }
  }

  private static int automaticEdits(int length) {
    return length <= 2 ? 0 : length <= 5 ? 1 : 2;
  }

  private Collection<String> fieldsLike(String pattern) {
    if (isLucene || !pattern.contains("*")) return fields.containsKey(pattern) ? List.of(pattern) : List.of();
    Pattern any = Pattern.compile("\\Q" + pattern.replace("*", "\\E.*\\Q") + "\\E", Pattern.DOTALL);
    List<String> names = new ArrayList<>(fields.keySet());
    names.removeIf(name -> !any.matcher(name).matches());
    return names;
  }

  private boolean isText(String name) {
    return fields.get(name) == Type.TEXT;
  }

  private boolean hasTerms(String name) {
    return isText(name) || fields.get(name) == Type.KEYWORD;
  }

  private String normal(String name, String text) {
    return isText(name) ? ANALYZER.normalize(name, text).utf8ToString() : text;
  }

  /** Escaped characters of a wildcard pattern stay as they are. */
  private String normalPattern(String name, String pattern) {
    return Pattern.compile("\\\\.|[^\\\\]+", Pattern.DOTALL)
        .matcher(pattern)
        .replaceAll(piece -> {
          String text = piece.group();
          return java.util.regex.Matcher.quoteReplacement(text.startsWith("\\") ? text : normal(name, text));
        });
  }

  /** A range of numbers, as the field mappers of the engine make it. */
  private Query numbers(String name, String lower, String upper, boolean withLower, boolean withUpper) {
    if (fields.get(name) == Type.DECIMAL) {
      double from = lower == null ? Double.NEGATIVE_INFINITY : Double.parseDouble(lower);
      double to = upper == null ? Double.POSITIVE_INFINITY : Double.parseDouble(upper);
      if (lower != null && !withLower) from = DoublePoint.nextUp(from);
      if (upper != null && !withUpper) to = DoublePoint.nextDown(to);
      return DoublePoint.newRangeQuery(name, from, to);
    }
    long from = lower == null ? Long.MIN_VALUE : toLong(lower);
    long to = upper == null ? Long.MAX_VALUE : toLong(upper);
    if (lower != null && (isFraction(lower) ? Double.parseDouble(lower) > 0 : !withLower)) {
      if (from == Long.MAX_VALUE) return new MatchNoDocsQuery();
      from += 1;
    }
    if (upper != null && (isFraction(upper) ? Double.parseDouble(upper) < 0 : !withUpper)) {
      if (to == Long.MIN_VALUE) return new MatchNoDocsQuery();
      to -= 1;
    }
    return LongPoint.newRangeQuery(name, from, to);
  }

  private static boolean isFraction(String number) {
    return Double.parseDouble(number) % 1 != 0;
  }

  private static long toLong(String text) {
    double approximately = Double.parseDouble(text);
    if (approximately < Long.MIN_VALUE || approximately > Long.MAX_VALUE) throw new ArithmeticException();
    BigDecimal exactly = new BigDecimal(text);
    if (Math.abs(exactly.scale()) > 10000) throw new ArithmeticException();
    return exactly.toBigInteger().longValueExact();
  }

  private interface Attempt {
    Query query();
  }

  /** Text that is no number asks nothing of a number field. */
  private static Query leniently(Attempt attempt) {
    try {
      return attempt.query();
    } catch (NumberFormatException | ArithmeticException noNumber) {
      return new MatchNoDocsQuery();
    }
  }

  private static String decode(String word) {
    char[] units = new char[word.length() / 4];
    for (int i = 0; i < units.length; i++) units[i] = (char) Integer.parseInt(word, 4 * i + 1, 4 * i + 5, 16);
    return new String(units);
  }
}
