"""Files in the layouts of public data and tools, rows ours, and what each is to be read as.

``python tests/data/layouts.py`` prints the table: origin, expected, got.
"""

import gzip
import io
import json
import re
import zipfile
from typing import Any, NamedTuple

import openpyxl
import pandas as pd

from slp_core.data import read_dataset
from slp_core.errors import DatasetError

N = 12  # rows
TEXT, OTHER = "note # is here and long", "a second text # that goes on"
FIRST, SECOND = "note 0 is here and long", "a second text 0 that goes on"
AB, YN, PM = ["a", "b"], ["0", "1"], ["neg", "pos"]
X, Y, Z = ["1.5", "2.25", "0.5", "3.75"], ["7.1", "8.3", "9.2"], ["12", "30", "45", "51", "18"]


class Layout(NamedTuple):
    """A file, and the kind, the classes and the first text or the features that it is to give."""

    origin: str
    filename: str
    content: str | bytes
    kind: str  # or "refused"
    classes: str = "a b"
    first: str = FIRST  # of a refusal words that it holds
    says: str = ""  # words of a remark


def cells(*columns: Any) -> list[list[str]]:
    """Rows of columns that are cycles of cells, # being the row's number."""
    lists = [[each] if isinstance(each, str) else each for each in columns]
    return [[c[i % len(c)].replace("#", str(i)) for c in lists] for i in range(N)]


def lined(header: str, *columns: Any, by: str = ",") -> str:
    """Delimited text, below a header if there is one."""
    body = "".join(f"{by.join(row)}\n" for row in cells(*columns))
    return f"{header}\n{body}" if header else body


def records(**columns: Any) -> list[dict[str, Any]]:
    """The same as JSON objects; a cell that is no text stays as it is."""
    return [{key: _cell(c, i) for key, c in columns.items()} for i in range(N)]


def _cell(column: Any, i: int) -> Any:
    value = column[i % len(column)] if isinstance(column, list) else column
    if isinstance(value, str):
        return value.replace("#", str(i))
    if callable(value):
        return value(i)
    return value


def jsonl(**columns: Any) -> str:
    """JSON Lines."""
    return "\n".join(map(json.dumps, records(**columns)))


def zipped(**files: str) -> bytes:
    """An archive; in names __ is a folder and _ a point."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return buffer.getvalue()


def sheet(*rows: Any) -> bytes:
    """A workbook."""
    book, buffer = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(buffer)
    return buffer.getvalue()


def parquet(**columns: Any) -> bytes:
    """A Parquet file."""
    pd.DataFrame(records(**columns)).to_parquet(buffer := io.BytesIO())
    return buffer.getvalue()


def labelled_text(i: int) -> tuple[str, str]:
    """A text and its class."""
    return TEXT.replace("#", str(i)), AB[i % 2]


PAIRS = [labelled_text(i) for i in range(N)]
T, P, S, R = "text", "pair", "span", "refused"
NUM = "numeric"

# fmt: off
LAYOUTS = [
    # ---- texts, a class each: delimited ----
    Layout("AG News (original)", "a.csv", lined("", ['"3"', '"1"'], '"short #"', f'"{TEXT}"'), T, "1 3"),
    Layout("AG News (Kaggle)", "a.csv", lined("Class Index,Title,Description", ["3", "1"], "short #", TEXT), T, "1 3", "short 0"),
    Layout("Yelp polarity", "a.csv", lined("", ['"1"', '"2"'], f'"{TEXT}"'), T, "1 2"),
    Layout("Amazon polarity", "a.csv", lined("", ['"1"', '"2"'], '"short #"', f'"{TEXT}"'), T, "1 2"),
    Layout("DBpedia", "a.csv", lined("", ["1", "2", "3"], '"Name #"', f'" {TEXT}"'), T, "1 2 3", f" {FIRST}"),
    Layout("Yahoo Answers", "a.csv", lined("", ['"1"', '"2"'], '"why #"', '"so #"', f'"{TEXT} indeed"'), T, "1 2", f"{FIRST} indeed"),
    Layout("IMDb (Kaggle)", "a.csv", lined("review,sentiment", f'"{TEXT}"', PM), T, "neg pos"),
    Layout("Sentiment140", "a.csv", lined("", ['"0"', '"4"'], '"14678#"', '"Mon Apr 06"', '"NO_QUERY"', '"u#"', f'"{TEXT}"'), T, "0 4"),
    Layout("SST-2 (GLUE)", "a.tsv", lined("sentence\tlabel", TEXT, YN, by="\t"), T, "0 1"),
    Layout("SST-5", "a.txt", lined("", ["0", "1", "2", "3"], TEXT, by=" "), T, "0 1 2 3"),
    Layout("CoLA (original)", "a.tsv", lined("", "x1", YN, ["", "*"], TEXT, by="\t"), T, "0 1"),
    Layout("CoLA (test of GLUE)", "a.tsv", lined("index\tsentence", "#", TEXT, by="\t"), R, "", "one column only"),
    Layout("TREC", "a.txt", lined("", ["DESC:x", "NUM:y"], TEXT, by=" "), T, "DESC:x NUM:y"),
    Layout("SMS Spam Collection", "a.txt", lined("", ["ham", "spam"], TEXT, by="\t"), T, "ham spam"),
    Layout("SMS Spam (Kaggle)", "a.csv", lined("v1,v2,,,", ["ham", "spam"], TEXT, "", "", ""), T, "ham spam"),
    Layout("20 Newsgroups", "a.csv", lined("text,target,target_names", TEXT, YN, AB), T),
    Layout("Banking77", "a.csv", lined("text,category", TEXT, AB), T),
    Layout("ATIS (Kaggle)", "a.csv", lined("", ["atis_a", "atis_b"], f" {TEXT}"), T, "atis_a atis_b", f" {FIRST}"),
    Layout("SNIPS", "a.csv", lined("intent,text", AB, TEXT), T),
    Layout("HWU64", "a.csv", lined("userid;answerid;scenario;intent;status;answer", "1", "#", ["alarm"], AB, ["IRR"], TEXT, by=";"), T),
    Layout("Emotion (dair-ai)", "a.txt", lined("", TEXT, ["joy", "fear"], by=";"), T, "fear joy"),
    Layout("Targets as columns of 0 and 1", "a.csv", lined("h,w,is_a,is_b", "#.5", "#.25", YN, ["1", "0"]), NUM, "is_a is_b", "h, w", "read as classes"),
    Layout("Titanic (shortened)", "a.csv", lined("PassengerId,Survived,Pclass,Name,Age", "#", YN, ["1", "3"], '"Family #, Mr. Given"', Z), T, "0 1", "Family 0, Mr. Given", "Columns of numbers in a.csv are not used: “Pclass” and “Age”."),
    Layout("GoEmotions (one-hot)", "a.csv", lined("text,id,joy,fear,love", TEXT, "x#", ["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]), T, "fear joy love"),
    Layout("GoEmotions (lists of numbers)", "a.tsv", lined("", TEXT, ["2", "7", "2,7"], "e#x", by="\t"), T, "2 7"),
    Layout("Twitter US Airline Sentiment", "a.csv", lined("tweet_id,airline_sentiment,airline_sentiment_confidence,negativereason,airline,name,retweet_count,text,tweet_created", "57030613367#", PM, ["1.0", "0.35"], ["", "late"], ["Blue", "Red"], "user#", "0", TEXT, "2015-02-24"), T, "neg pos"),
    Layout("Disaster tweets (Kaggle)", "a.csv", lined("id,keyword,location,text,target", "#", ["", "fire"], ["", "here"], TEXT, YN), T, "0 1"),
    Layout("Hate speech (Davidson)", "a.csv", lined(",count,hate_speech,offensive_language,neither,class,tweet", "#", "3", ["0", "3"], ["3", "0"], "0", ["1", "2"], TEXT), T, "1 2"),
    Layout("OLID", "a.tsv", lined("id\ttweet\tsubtask_a\tsubtask_b\tsubtask_c", "8619#", TEXT, ["OFF", "NOT"], ["TIN", "NULL"], ["IND", "NULL"], by="\t"), T, "IND NULL", says="guessed"),
    Layout("Jigsaw toxicity", "a.csv", lined("id,comment_text,toxic,obscene,insult", "f#", TEXT, ["1", "0", "0", "1"], ["0", "1", "0", "1"], ["0", "0", "1", "0"]), T, "insult obscene toxic"),
    Layout("Financial PhraseBank (Kaggle)", "a.csv", lined("", PM, f'"{TEXT}, and more"'), T, "neg pos", f"{FIRST}, and more"),
    Layout("Financial PhraseBank (original)", "a.txt", lined("", TEXT, PM, by="@"), R, "", "column"),
    Layout("Rotten Tomatoes (one file a class)", "rt-polarity.pos", lined("", TEXT), R, "", "does not end in"),
    Layout("LIAR", "a.tsv", lined("", "26#.json", ["false", "true"], TEXT, ["economy", "health"], "speaker-#", by="\t"), T, "false true"),
    Layout("Fake and real news", "a.csv", lined("title,text,subject,label", "short #", TEXT, ["News", "politics"], ["FAKE", "REAL"]), T, "FAKE REAL"),
    Layout("Clickbait", "a.csv", lined("headline,clickbait", TEXT, YN), T, "0 1"),
    Layout("Quora Insincere Questions", "a.csv", lined("qid,question_text,target", "00a#", TEXT, YN), T, "0 1"),
    Layout("Amazon Fine Food Reviews", "a.csv", lined("Id,ProductId,UserId,ProfileName,HelpfulnessNumerator,Score,Time,Summary,Text", "#", "B00#", "A#", "name #", ["0", "1"], ["1", "5"], "13038624#", "short #", TEXT), T, "1 5"),
    Layout("Women's Clothing Reviews", "a.csv", lined(",Clothing ID,Age,Title,Review Text,Rating,Recommended IND", "#", "76#", "3#", "good #", TEXT, ["5", "1"], YN), T, "1 5"),
    Layout("Medical transcriptions", "a.csv", lined(",description,medical_specialty,sample_name,transcription", "#", "short # here", AB, "x#", TEXT), T, "a b", "short 0 here"),
    Layout("Consumer Complaints", "a.csv", lined("Date received,Product,Issue,Consumer complaint narrative", "2015-03-1#", AB, ["late", "lost"], TEXT), T, "a b"),
    Layout("Spooky authors", "a.csv", lined("id,text,author", '"id#"', f'"{TEXT}"', ['"EAP"', '"MWS"']), T, "EAP MWS"),
    Layout("Stack Overflow quality", "a.csv", lined("Id,Title,Body,Tags,CreationDate,Y", "3455#", "short # title", TEXT, "<java>", "2016-01-01", ["HQ", "LQ"]), T, "HQ LQ"),
    Layout("PubMed RCT", "a.txt", lined("", ["METHODS", "RESULTS"], TEXT, by="\t"), T, "METHODS RESULTS"),
    Layout("SemEval-2017 Task 4", "a.txt", lined("", "6281#", PM, TEXT, by="\t"), T, "neg pos"),
    Layout("Reuters-21578", "reut2-000.sgm", "<REUTERS>x</REUTERS>", R, "", "does not end in"),
    Layout("Multi-Domain Sentiment", "a.xml", "<review>x</review>", R, "", "does not end in"),
    # ---- other languages ----
    Layout("10kGNAD", "a.csv", lined("", ["Sport", "Web"], [TEXT, f"'{TEXT}; ja'"], by=";"), R, "", "quotation marks"),
    Layout("GermEval 2018", "a.txt", lined("", TEXT, ["OFFENSE", "OTHER"], ["ABUSE", "OTHER"], by="\t"), T, "ABUSE OTHER", says="guessed"),
    Layout("SB10k, German names of columns", "a.csv", lined("Nachricht;Stimmung", TEXT, ["gut", "schlecht"], by=";"), T, "gut schlecht"),
    Layout("ChnSentiCorp", "a.tsv", lined("label\ttext_a", YN, "房间#很干净，服务也好", by="\t"), T, "0 1", "房间0很干净，服务也好"),
    Layout("Waimai", "a.csv", lined("label,review", YN, "送餐#很快"), T, "0 1", "送餐0很快"),
    Layout("THUCNews", "a.txt", lined("", ["体育", "财经"], "新闻#内容", by="\t"), T, "体育 财经", "新闻0内容"),
    Layout("NSMC", "a.txt", lined("id\tdocument\tlabel", "997#", "영화 #번 정말 좋다", YN, by="\t"), T, "0 1", "영화 0번 정말 좋다"),
    Layout("RuSentiment", "a.csv", lined("label,text", PM, "письмо # пришло вовремя"), T, "neg pos", "письмо 0 пришло вовремя"),
    Layout("ASTD", "a.txt", lined("", "رسالة # وصلت اليوم", ["POS", "NEG"], by="\t"), T, "NEG POS", "رسالة 0 وصلت اليوم"),
    Layout("Windows-1252 CSV", "a.csv", lined("Satz;Klasse", "Größe # war schön", AB, by=";").encode("cp1252"), T, "a b", "Größe 0 war schön"),
    Layout("Shift JIS CSV", "a.csv", lined("本文,ラベル", "荷物#はまだ届いていません", AB).encode("shift_jis"), T, "a b", "荷物0はまだ届いていません"),
    Layout("Excel's Unicode text", "a.txt", lined("text\tlabel", TEXT, AB, by="\t").encode("utf-16"), T),
    # ---- pairs ----
    Layout("MRPC", "a.tsv", lined("Quality\t#1 ID\t#2 ID\t#1 String\t#2 String", ["1", "0"], "70#", "80#", TEXT, OTHER, by="\t"), P, "0 1"),
    Layout("QQP", "a.tsv", lined("id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate", "#", "2#", "3#", TEXT, OTHER, YN, by="\t"), P, "0 1"),
    Layout("QNLI", "a.tsv", lined("index\tquestion\tsentence\tlabel", "#", TEXT, OTHER, ["e", "n"], by="\t"), P, "e n"),
    Layout("RTE", "a.tsv", lined("index\tsentence1\tsentence2\tlabel", "#", TEXT, OTHER, ["e", "n"], by="\t"), P, "e n"),
    Layout("MNLI", "a.tsv", lined("index\tpromptID\tpairID\tgenre\tsentence1_binary_parse\tsentence1\tsentence2\tlabel1\tgold_label", "#", "3#", "3#n", ["fiction", "travel"], "( x # )", TEXT, OTHER, ["e", "n"], ["e", "n"], by="\t"), P, "e n"),
    Layout("SNLI", "a.jsonl", jsonl(gold_label=["ent", "neu", "ent", "neu", "-"], sentence1=TEXT, sentence2=OTHER, pairID="#r"), P, "ent neu"),
    Layout("XNLI", "a.tsv", lined("language\tgold_label\tsentence1\tsentence2\tpromptID", ["de"], ["ent", "neu"], TEXT, OTHER, "#", by="\t"), P, "ent neu"),
    Layout("ANLI", "a.jsonl", jsonl(uid="u#", context=OTHER, hypothesis=TEXT, label=["c", "e"], reason=""), P, "c e", SECOND),
    Layout("WNLI", "a.tsv", lined("index\tsentence1\tsentence2\tlabel", "#", TEXT, OTHER, YN, by="\t"), P, "0 1"),
    Layout("PAWS", "a.tsv", lined("id\tsentence1\tsentence2\tlabel", "#", TEXT, OTHER, YN, by="\t"), P, "0 1"),
    Layout("SICK", "a.txt", lined("pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment", "#", TEXT, OTHER, ["4.5", "3.2"], ["E", "N"], by="\t"), P, "E N"),
    Layout("STS-B", "a.tsv", lined("index\tgenre\tfilename\tscore\tsentence1\tsentence2", "#", ["news"], ["x"], ["4.75", "1.2", "3.4", "0.25", "2.6"], TEXT, OTHER, by="\t"), P, "0.25 1.2 2.6 3.4 4.75", says="guessed"),
    Layout("BoolQ", "a.jsonl", jsonl(question="is it #", passage=OTHER, answer=[True, False], idx=[lambda i: i]), P, "False True", "is it 0"),
    Layout("CB (SuperGLUE)", "a.jsonl", jsonl(premise=TEXT, hypothesis=OTHER, label=["c", "e"], idx=[lambda i: i]), P, "c e"),
    Layout("SciTail", "a.txt", lined("", TEXT, OTHER, ["entails", "neutral"], by="\t"), T, "entails neutral", SECOND, says="Other columns of texts"),
    Layout("Stance (FNC-1)", "a.csv", lined("Headline,Body ID,Stance", TEXT, "71#", ["agree", "discuss"]), T, "agree discuss"),
    Layout("KorNLI", "a.tsv", lined("sentence1\tsentence2\tgold_label", TEXT, OTHER, ["e", "n"], by="\t"), P, "e n"),
    # ---- a phrase in a text ----
    Layout("SemEval-2014 Task 4", "a.csv", lined("id,Sentence,Aspect Term,polarity,from,to", "23#", TEXT, "note #", PM, "0", "6"), S, "neg pos"),
    Layout("LEOPARD's CoNLL", "a.json", json.dumps(records(sentence1=TEXT, sentence2="note #", label=["LOC", "PER"])), S, "LOC PER"),
    Layout("Entity typing", "a.jsonl", jsonl(text=TEXT, mention="note #", start=0, end=[lambda i: 5 + len(str(i))], label=["LOC", "PER"]), S, "LOC PER"),
    # ---- tables of numbers ----
    Layout("Iris (UCI)", "iris.data", lined("", X, Y, Z, ["Iris-a", "Iris-b"]), NUM, "Iris-a Iris-b", "column 1, column 2, column 3"),
    Layout("Iris (seaborn)", "a.csv", lined("sepal_length,sepal_width,species", X, Y, AB), NUM, "a b", "sepal_length, sepal_width"),
    Layout("Iris (Kaggle)", "a.csv", lined("Id,SepalLengthCm,Species", "#", X, AB), NUM, "a b", "SepalLengthCm"),
    Layout("Wine (UCI)", "wine.data", lined("", ["1", "2", "3"], X, Y), NUM, "1 2 3", "column 2, column 3"),
    Layout("Wine quality (UCI)", "a.csv", lined('"fixed acidity";"pH";"quality"', X, Y, ["5", "6"], by=";"), NUM, "5 6", "fixed acidity, pH"),
    Layout("Breast Cancer Wisconsin (UCI)", "wdbc.data", lined("", "84230#", ["M", "B"], X, Y), NUM, "B M", "column 3, column 4"),
    Layout("Breast Cancer Wisconsin (Kaggle)", "a.csv", lined("id,diagnosis,radius_mean,texture_mean,", "84230#", ["M", "B"], X, Y, ""), NUM, "B M", "radius_mean, texture_mean"),
    Layout("Pima diabetes", "a.csv", lined("Pregnancies,Glucose,BMI,Outcome", ["1", "3", "5"], Z, X, YN), NUM, "0 1", "Pregnancies, Glucose, BMI"),
    Layout("Titanic", "a.csv", lined("PassengerId,Survived,Pclass,Name,Sex,Age,Fare", "#", YN, ["1", "3"], '"Family #, Mr. Given"', ["male", "female"], Z, X), NUM, "0 1", "Pclass, Age, Fare"),
    Layout("Adult", "adult.data", lined("", Z, "State-gov", "7751#", ["<=50K", ">50K"], by=", "), NUM, "<=50K >50K", "column 1, column 3"),
    Layout("Heart disease (Kaggle)", "a.csv", lined("age,sex,cp,chol,target", Z, YN, ["0", "1", "2"], Z, YN), NUM, "0 1", "age, sex, cp, chol"),
    Layout("Ionosphere", "a.data", lined("", X, Y, ["g", "b"]), NUM, "b g", "column 1, column 2"),
    Layout("Sonar", "sonar.all-data", lined("", X, ["R", "M"]), R, "", "does not end in"),
    Layout("Glass", "a.data", lined("", "#", X, Y, ["1", "2"]), NUM, "1 2", "column 2, column 3"),
    Layout("Seeds", "a.txt", lined("", X, Y, ["1", "2", "3"], by="\t"), NUM, "1 2 3", "column 1, column 2"),
    Layout("Banknote", "a.txt", lined("", X, Y, YN), NUM, "0 1", "column 1, column 2"),
    Layout("Abalone", "abalone.data", lined("", ["M", "F", "I"], X, Y, Z), NUM, "F I M", "column 2, column 3, column 4"),
    Layout("Letter recognition", "a.data", lined("", ["T", "I"], Z, X), NUM, "I T", "column 2, column 3"),
    Layout("Penguins", "a.csv", lined("species,island,bill_length_mm,body_mass_g", ["Adelie", "Gentoo"], ["Dream", "Biscoe"], X, "37#"), NUM, "Adelie Gentoo", "bill_length_mm, body_mass_g"),
    Layout("Spambase", "spambase.data", lined("", X, Y, YN), NUM, "0 1", "column 1, column 2"),
    Layout("MNIST (Kaggle)", "a.csv", lined("label,pixel0,pixel1,pixel2", ["3", "7"], "0", Z, ["255", "0"]), NUM, "3 7", "pixel0, pixel1, pixel2"),
    Layout("Credit card fraud", "a.csv", lined('"Time","V1","Amount","Class"', Z, X, Y, ['"0"', '"1"']), NUM, "0 1", "Time, V1, Amount"),
    Layout("Telco churn", "a.csv", lined("customerID,gender,tenure,MonthlyCharges,Churn", "75-X#", ["F", "M"], Z, X, ["Yes", "No"]), NUM, "No Yes", "tenure, MonthlyCharges"),
    Layout("Human activity (UCI, Kaggle)", "a.csv", lined("tBodyAcc-mean()-X,tBodyAcc-mean()-Y,subject,Activity", X, Y, ["1", "2"], ["WALK", "SIT"]), NUM, "SIT WALK", "tBodyAcc-mean()-X, tBodyAcc-mean()-Y, subject"),
    Layout("Crop recommendation", "a.csv", lined("N,P,ph,label", Z, X, Y, ["rice", "maize"]), NUM, "maize rice", "N, P, ph"),
    Layout("Mushrooms", "a.csv", lined("class,cap-shape,odor", ["p", "e"], ["x", "b"], ["f", "n"]), T, "e p", "x"),
    Layout("OpenML (ARFF)", "credit-g.arff", "@relation x\n@data\n1,good\n", R, "", "does not end in"),
    Layout("LIBSVM", "a.libsvm", "+1 1:0.5 2:1\n-1 1:0.2\n", R, "", "does not end in"),
    Layout("German Excel", "a.csv", lined("Gewicht;Länge;Klasse", ["1,5", "2,25", "0,75"], ["1.234,5", "987,5"], AB, by=";"), NUM, "a b", "Gewicht, Länge"),
    Layout("Swiss thousands", "a.csv", lined("Umsatz;Klasse", ["1'200", "950", "12'000"], AB, by=";"), NUM, "a b", "Umsatz"),
    Layout("World Bank income", "a.csv", lined("income,rate,class", ['"$57,574"', '"$3,200"'], ["12%", "7%"], AB), NUM, "a b", "income, rate"),
    # ---- programs ----
    Layout("R's write.csv", "a.csv", lined('"","text","label"', '"#"', f'"{TEXT}"', AB), T),
    Layout("pandas' to_csv", "a.csv", lined(",text,label", "#", TEXT, AB), T),
    Layout("pandas' to_json, by column", "a.json", json.dumps({"text": {str(i): t for i, (t, _) in enumerate(PAIRS)}, "label": {str(i): y for i, (_, y) in enumerate(PAIRS)}}), T),
    Layout("pandas' to_json, split", "a.json", json.dumps({"columns": ["text", "label"], "index": [*range(N)], "data": PAIRS}), T),
    Layout("pandas' to_json, records", "a.json", json.dumps(records(text=TEXT, label=AB)), T),
    Layout("pandas' to_excel with two header rows", "a.xlsx", sheet(["Tickets", None, "Given", None], ["ID", "Text", "Topic", "Agent"], *[[f"T-{i}", t, y, "ann"] for i, (t, y) in enumerate(PAIRS)]), T),
    Layout("Excel with a title above", "a.xlsx", sheet(["Feedback 2024"], [], ["text", "label"], *PAIRS), T),
    Layout("Google Forms", "a.csv", lined("Timestamp,What went wrong?,Topic", "2024/01/0# 9:14:20", f'"{TEXT}"', AB), T),
    Layout("Google Sheets (TSV)", "a.tsv", lined("text\tlabel", TEXT, AB, by="\t"), T),
    Layout("Parquet of Hugging Face", "a.parquet", parquet(text=TEXT, label=[0, 1]), T, "0 1"),
    Layout("gzip", "a.csv.gz", gzip.compress(lined("text,label", TEXT, AB).encode()), T),
    Layout("Kaggle's archive", "a.zip", zipped(train_csv=lined("text,label", TEXT, AB), test_csv=lined("text,label", TEXT, AB)), T),
    Layout("A table in an archive", "a.zip", zipped(data__all_csv=lined("text,label", TEXT, AB), data__readme_md="# x"), T),
    Layout("Bars between cells", "a.psv", lined("text|label", TEXT, AB, by="|"), T),
    Layout("NumPy arrays", "a.npz", b"PK\x03\x04", R, "", "NumPy arrays"),
    Layout("Old Excel", "a.xls", b"\xd0\xcf\x11\xe0", R, "", "does not end in"),
    Layout("A PDF", "a.pdf", b"%PDF-1.4", R, "", "does not end in"),
    Layout("R's write.table", "a.txt", '"text" "label"\n' + "".join(f'"{i}" "{t}" "{y}"\n' for i, (t, y) in enumerate(PAIRS)), R, "", "write.csv"),
    # ---- JSON of datasets ----
    Layout("Yelp reviews", "a.json", jsonl(review_id="r#", user_id="u#", stars=[1.0, 5.0], useful=0, text=TEXT, date="2018-01-01"), T, "1 5"),
    Layout("Amazon reviews (McAuley)", "a.json", jsonl(reviewerID="A#", asin="B#", helpful=[[0, 1]], reviewText=TEXT, overall=[5.0, 1.0], summary="short #", unixReviewTime=1252800000), T, "1 5"),
    Layout("News Category Dataset", "a.json", jsonl(link="https://x.org/#", headline=TEXT, category=AB, short_description=OTHER, authors="x #", date="2018-05-26"), T),
    Layout("MASSIVE", "a.jsonl", jsonl(id="#", locale="de-DE", partition=["train", "test", "dev"], scenario=["alarm", "play"], intent=["a", "a", "a", "b", "b", "b"], utt=TEXT, annot_utt=f"[x : {TEXT}]"), T),
    Layout("SciCite", "a.jsonl", jsonl(source="x", string=TEXT, label=AB, sectionName=["1. Intro", "Methods"], id="p#"), T),
    Layout("FEVER", "a.jsonl", jsonl(id=[lambda i: i], verifiable=["VERIFIABLE"], label=["SUPPORTS", "REFUTES"], claim=TEXT, evidence=[[[[1, 2, "x", 3]]]]), T, "REFUTES SUPPORTS"),
    Layout("CLINC150", "a.json", json.dumps({"train": PAIRS, "test": PAIRS}), R, "", "a.json"),
    Layout("Allociné", "a.jsonl", jsonl(**{"film-url": "http://x.fr/#", "review": TEXT, "polarity": [0, 1]}), T, "0 1"),
    Layout("MARC", "a.jsonl", jsonl(review_id="de_#", stars=["1", "5"], review_body=TEXT, review_title="short #", language="de"), T, "1 5"),
    Layout("SQuAD", "a.json", json.dumps({"version": "2", "data": [{"title": "x", "paragraphs": [{"context": "y", "qas": []}]}]}), R, "", "a.json"),
    Layout("Hugging Face's dataset viewer", "a.json", json.dumps({"features": [], "rows": [{"row_idx": i, "row": r} for i, r in enumerate(records(text=TEXT, label=AB))]}), R, "", "a.json"),
    Layout("Splits in an object", "a.json", json.dumps({"train": records(text=TEXT, label=AB), "test": records(text=TEXT, label=AB)}), T),
    Layout("An object of classes", "a.json", json.dumps({"a": ["x 1", "x 2"], "b": ["y 1", "y 2"]}), R, "", "a.json"),
    # ---- labelling tools and services ----
    Layout("doccano (JSONL)", "a.jsonl", jsonl(id=[lambda i: i], text=TEXT, label=[["a"], ["b"]]), T),
    Layout("doccano (CSV)", "a.csv", lined("id,data,label", "#", TEXT, AB), T),
    Layout("Prodigy, choice", "a.jsonl", jsonl(text=TEXT, accept=[["a"], ["b"]], answer="accept", options=[[{"id": "a"}]]), T),
    Layout("Prodigy, one label", "a.jsonl", jsonl(text=TEXT, label=AB, answer="accept", _input_hash=[lambda i: i]), T),
    Layout("Label Studio (JSON)", "a.json", json.dumps([{"id": i, "data": {"text": t}, "annotations": [{"result": [{"value": {"choices": [y]}}]}]} for i, (t, y) in enumerate(PAIRS)]), T),
    Layout("Label Studio (JSON-MIN)", "a.json", json.dumps(records(text=TEXT, id=[lambda i: i], sentiment=PM, annotator=1, lead_time=2.5)), T, "neg pos"),
    Layout("Label Studio (CSV)", "a.csv", lined("annotation_id,annotator,created_at,id,lead_time,sentiment,text,updated_at", "#", "1", "2022-01-01", "2#", ["3.5", "1.2"], PM, TEXT, "2022-01-01"), T, "neg pos"),
    Layout("spaCy's cats", "a.jsonl", jsonl(text=TEXT, cats=[{"a": 1.0, "b": 0.0}, {"a": 0.0, "b": 1.0}]), T),
    Layout("Argilla", "a.json", json.dumps([{"fields": {"text": t}, "responses": {"label": [{"value": y}]}} for t, y in PAIRS]), T),
    Layout("OpenAI, chat messages", "a.jsonl", "\n".join(json.dumps({"messages": [{"role": "user", "content": t}, {"role": "assistant", "content": y}]}) for t, y in PAIRS), T),
    Layout("OpenAI, prompt and completion", "a.jsonl", jsonl(prompt=TEXT, completion=[" a", " b"]), T),
    Layout("Cohere", "a.jsonl", jsonl(text=TEXT, label=AB), T),
    Layout("Amazon Comprehend", "a.csv", lined("", ["COMEDY", "DRAMA"], TEXT), T, "COMEDY DRAMA"),
    Layout("Google AutoML", "a.csv", lined("", f'"{TEXT}"', ["sports", "politics"]), T, "politics sports"),
    Layout("Vertex AI", "a.jsonl", jsonl(classificationAnnotation=[{"displayName": "a"}, {"displayName": "b"}], textContent=TEXT), R, "", "class"),
    Layout("SageMaker Ground Truth", "a.manifest", jsonl(source=TEXT), R, "", "does not end in"),
    Layout("fastText", "a.txt", "\n".join(f"__label__{y} {t}" for t, y in PAIRS), T),
    Layout("fastText, several labels", "a.txt", "\n".join(f"__label__{y} {t}" for t, y in PAIRS) + "\n__label__a __label__b both", T),
    Layout("Rasa (YAML)", "nlu.yml", "nlu:\n- intent: a\n", R, "", "does not end in"),
    Layout("Rasa (JSON)", "a.json", json.dumps({"rasa_nlu_data": {"common_examples": records(text=TEXT, intent=AB)}}), R, "", "a.json"),
    Layout("brat", "a.ann", "T1\tLOC 0 5\tLyon\n", R, "", "does not end in"),
    Layout("CoNLL-2003", "a.conll", "EU B-ORG\n", R, "", "does not end in"),
    Layout("Weights & Biases", "a.json", json.dumps({"columns": ["text", "label"], "data": PAIRS}), T),
    Layout("scikit-learn's predictions", "a.csv", lined("text,y_true,y_pred", TEXT, AB, ["a"]), T),
    Layout("Predictions first", "a.csv", lined("text,predicted_label,true_label", TEXT, ["a"], AB), T),
    Layout("LM evaluation harness", "a.csv", lined("gold,prediction,correct,text", AB, ["a"], ["True", "False"], TEXT), T),
]
# fmt: on


def got(layout: Layout) -> tuple[str, str, str, str]:
    """Kind, classes, the first text or the features, and remarks; of a refusal its sentence."""
    content = layout.content
    data = content if isinstance(content, bytes) else content.encode()
    try:
        found = read_dataset(io.BytesIO(data), layout.filename)
    except DatasetError as error:
        return R, "", str(error), ""
    texts = found.examples.texts
    first = ", ".join(found.feature_names) if texts is None else texts[0]
    return found.kind, " ".join(found.classes), first, " ".join(found.warnings)


def is_as_expected(layout: Layout) -> bool:
    """Whether a file is read as it is to be, or refused in one sentence."""
    kind, classes, first, said = got(layout)
    if layout.kind == R:
        one = not re.search(r"[.!?] [A-Z]", first) and first.endswith(".")
        return kind == R and layout.first in first and one
    same = (kind, classes, first) == (layout.kind, layout.classes, layout.first)
    return same and layout.says in said


if __name__ == "__main__":
    good = [is_as_expected(each) for each in LAYOUTS]
    for i, (each, as_expected) in enumerate(zip(LAYOUTS, good, strict=True), 1):
        expected = " | ".join(filter(None, (each.kind, each.classes, each.first)))
        outcome = "as expected" if as_expected else "OTHERWISE"
        print(
            f"{i:3} {each.origin} ({each.filename}): {expected} -> {outcome}: {' | '.join(got(each))}"
        )
    print(f"{sum(good)} of {len(good)} layouts are read as expected.")
