"""Reads problems of src/judging from standard input and compares label errors with cleanlab's, slices with those of statsmodels and SciPy."""

import gc
import json
import sys
import warnings

import numpy as np
import pandas as pd
from cleanlab.count import get_confident_thresholds
from cleanlab.filter import find_label_issues
from cleanlab.rank import get_label_quality_scores
from scipy.optimize import brentq, minimize_scalar
from scipy.special import logsumexp
from scipy.stats import beta, binomtest, fisher_exact, norm, t
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint, proportions_ztest

warnings.filterwarnings("ignore")
# statsmodels collects garbage at each call of multipletests; what has been imported needn't be looked at.
gc.freeze()
FEW_EXPECTED = 100
failed = []
compared = 0
farthest = {}
undecided = 0
mistakes = 0


def same(where, figure, ours, theirs, absolute):
    global compared
    compared += 1
    distance = float(np.max(np.abs(np.asarray(ours, float) - np.asarray(theirs, float)))) if np.size(theirs) else 0.0
    farthest[figure] = max(farthest.get(figure, 0.0), distance)
    if not distance <= absolute:
        failed.append(f"{where} {figure}: {ours} here, {theirs} there")


def equal(where, figure, ours, theirs):
    global compared
    compared += 1
    farthest.setdefault(figure, 0.0)
    if ours != theirs:
        failed.append(f"{where} {figure}: {ours} here, {theirs} there")


def check_labels(name, problem):
    global undecided, mistakes
    scores = np.array(problem["scores"], dtype=float)
    labels = np.array(problem["labels"])
    whole = np.flatnonzero(~np.isnan(scores).any(axis=1))
    # Where scores hardly add up to 1 cleanlab asks for no more than this program does.
    scores, labels = scores[whole], labels[whole]
    undecided += problem["undecided"]
    mistakes += int((scores.argmax(axis=1) != labels).sum())
    same(name, "margin", problem["margins"], get_label_quality_scores(labels, scores, method="normalized_margin"), 1e-12)
    if len(set(labels)) < 2:
        # cleanlab refuses one class: by the definition, a class without records is never reached.
        equal(name, "suspects", problem["suspects"], [])
        return
    same(name, "thresholds", problem["thresholds"], get_confident_thresholds(labels, scores), 1e-12)
    theirs = find_label_issues(labels, scores, filter_by="confident_learning", n_jobs=1)
    equal(name, "suspects", problem["suspects"], whole[np.flatnonzero(theirs)].tolist())


def check_slices(name, problem):
    all_right, all_count = problem["all"]["right"], problem["all"]["count"]
    pooled = all_right / all_count
    ps = []
    for each in problem["judged"]:
        right, count = each["right"], each["count"]
        low, high = proportion_confint(right, count, method="wilson")
        same(name, "Wilson", [each["interval"]["low"], each["interval"]["high"]], [low, high], 1e-12)
        rest, n = all_right - right, all_count - count
        if n == 0:
            equal(name, "no rest", each.get("toRest"), None)
            ps.append(1.0)
            continue
        to_rest = each["toRest"]
        theirs = confint_proportions_2indep(right, count, rest, n, compare="diff", method="newcomb")
        same(name, "Newcombe", [to_rest["interval"]["low"], to_rest["interval"]["high"]], theirs, 1e-12)
        if min(count, n) * min(pooled, 1 - pooled) < FEW_EXPECTED:
            p = fisher_exact([[right, count - right], [rest, n - rest]])[1]
            same(name, "Fisher", to_rest["pValue"], p, 1e-8)
        else:
            p = proportions_ztest([right, rest], [count, n])[1]
            same(name, "z", to_rest["pValue"], p, 1e-12)
        ps.append(to_rest["pValue"])
    same(name, "Holm", [each["correctedP"] for each in problem["judged"]], multipletests(ps, method="holm")[1], 1e-12)


def check_bets(name, problem):
    """The definition with matrices: each bet's capital as a product over all draws, in logarithms."""
    q, batches = problem["question"], problem["batches"]
    sizes = 0.9 * 1.35 ** -np.arange(24.0)
    for side, sign in (("above", 1), ("below", -1)):
        logs, drawn, total = np.zeros(24), 0, 0.0
        for batch in batches:
            values = np.repeat([value for value, _ in batch], [times for _, times in batch])
            left = (q["total"] * q["mean"] - total) / (q["total"] - drawn)
            room = left - q["low"] if sign > 0 else q["high"] - left
            logs += np.log1p(sign * np.outer(sizes, values - left) / room).sum(axis=1)
            drawn, total = drawn + len(values), total + values.sum()
        same(name, f"evidence {side}", problem["evidence"][side], logsumexp(logs) - np.log(24), 1e-9)


def check_samples(name, problem):
    """The estimate with arrays, and Wilson's interval by statsmodels."""
    total, drawn, right = (np.array([each[key] for each in problem["strata"]], float) for key in ("total", "drawn", "right"))
    weight = total / total.sum()
    share = float(weight @ (right / drawn))
    shrunk = (right + 2 * (right.sum() + 1) / (drawn.sum() + 2)) / (drawn + 2)
    variance = float((weight**2 * (total - drawn) / np.maximum(1, total - 1) * shrunk * (1 - shrunk) / drawn).sum())
    middle = float(weight @ shrunk)
    low = high = share
    if variance > 0:
        trials = middle * (1 - middle) / variance
        low, high = proportion_confint(share * trials, trials, method="wilson")
        known = right.sum() / total.sum()
        low, high = max(low, known), min(high, known + 1 - drawn.sum() / total.sum())
    found = problem["sampled"]
    same(name, "sampled share", [found["share"], found["interval"]["low"], found["interval"]["high"]], [share, low, high], 1e-9)
    endless = float((weight**2 * shrunk * (1 - shrunk) / drawn).sum())
    effective = min(drawn.sum(), middle * (1 - middle) / endless)
    same(name, "effective draws", [problem["weighed"]["share"], problem["weighed"]["effective"]], [share, effective], 1e-8)


def check_sums(name, problem):
    """Sums of shards against pandas; intervals of a part of a finite whole by their definition: Wilson's, with the variance that is left."""
    frame = pd.DataFrame(problem["records"], columns=["value", "truth", "right"])
    theirs = frame.dropna().groupby("value")["right"].agg(["sum", "count"]).sort_index()
    ours = {value: (right, count) for value, right, count, _ in problem["sums"]["values"]}
    equal(name, "slices", ours, {value: (int(right), int(count)) for value, (right, count) in theirs.iterrows()})
    empty = frame[frame["value"].isna()]["right"]
    equal(name, "no value", problem["sums"]["none"], {"right": int(empty.sum()), "count": len(empty), "missed": 0})
    equal(name, "slices told", len(problem["judged"]), len(theirs))
    fraction = problem["fraction"]
    all_right, all_count = int(frame["right"].sum()), len(frame)

    def drawn(right, count):
        if fraction == 1:
            return right / count, right / count
        # Var(share) of n of N without replacement is p (1 - p) / n * (N - n) / (N - 1), with N = n / fraction.
        whole = count / fraction
        trials = count * (whole - 1) / (whole - count)
        return proportion_confint(right / count * trials, trials, method="wilson")

    for each in problem["judged"]:
        right, count = each["right"], each["count"]
        low, high = drawn(right, count)
        same(name, "slice of a sample", [each["interval"]["low"], each["interval"]["high"]], [low, high], 1e-9)
        if count == all_count:
            equal(name, "no rest", each.get("toRest"), None)
            continue
        rest, n = all_right - right, all_count - count
        rest_low, rest_high = drawn(rest, n)
        p, q = right / count, rest / n
        newcombe = [p - q - np.hypot(p - low, rest_high - q), p - q + np.hypot(high - p, q - rest_low)]
        same(name, "Newcombe of a sample", [each["toRest"]["interval"]["low"], each["toRest"]["interval"]["high"]], newcombe, 1e-9)
    sizes = pd.DataFrame(problem["drawn"])
    sizes["truth"] = sizes["label"].str.removeprefix("class ").astype(int)
    by_class = frame.groupby("truth")["right"].agg(["mean", "count"]).join(sizes.set_index("truth"))
    # Inputs without an answer leave a class in the share that they have of its draws, to whole inputs.
    weight = np.floor(by_class["of"] * by_class["count"] / by_class["inputs"] + 0.5)
    same(name, "weighted share", problem["share"], float((weight * by_class["mean"]).sum() / weight.sum()), 1e-12)


def score(gained, lost, count, change):
    """Tango's score by its definition: the likeliest share of lost records under the change is sought, not solved for."""
    lost += 0.5
    count = max(count, gained + lost)

    def loss(q):
        p = q + change
        parts = [(gained, p), (lost, q), (count - gained - lost, 1 - p - q)]
        return -sum(times * np.log(share) for times, share in parts if times > 0)

    low, high = max(0, -change), (1 - change) / 2
    q = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-13 * max(high, 1e-6)}).x
    return (gained - lost - count * change) / np.sqrt(count * (2 * q + change - change**2))


def check_bounds(name, problem):
    """Clopper-Pearson's ends and tails by SciPy's beta distribution and binomial test; changes by searches on the definition."""
    confidence = problem["confidence"]
    for at, each in enumerate(problem["shares"]):
        right, count = each["right"], each["count"]
        low = 0 if right == 0 else beta.ppf(1 - confidence, right, count - right + 1)
        high = 1 if right == count else beta.ppf(confidence, right + 1, count - right)
        same(name, "exact bound", each["ends"], [low, high], 1e-12)
        same(name, "binomial tail", each["tail"], 1 if right == 0 else beta.cdf(each["floor"], right, count - right + 1), 2e-10)
        # A search of SciPy's own for the same end, in which most of the time went.
        if at % 5 == 0 and right == int(right) and count == int(count):
            test = binomtest(int(right), int(count), 0.5, alternative="greater").proportion_ci(confidence, "exact").low
            same(name, "binomial test", each["ends"][0], test, 1e-11)
    for each in problem["changes"]:
        gained, lost, count, change = (each[key] for key in ("gained", "lost", "count", "change"))
        if gained + lost > 0:
            same(name, "change", each["tail"], norm.sf(score(gained, lost, count, change)), 1e-6)
        z = norm.isf(1 - confidence)
        for end, sign, (won, missed) in zip(each["ends"], (1, -1), ((gained, lost), (lost, gained))):
            ours = sign * end
            if confidence > 0.5 and ours > -0.999 and ours < -1e-9:
                same(name, "change's end", score(won, missed, count, ours), z, 1e-5)


def check_clusters(name, problem):
    """Effective counts by statsmodels' cluster-robust variance of the mean, and SciPy's Student quantiles."""
    right = np.array([each["right"] for each in problem["clusters"]], float)
    sizes = np.array([each["count"] for each in problem["clusters"]], float)
    n, share = sizes.sum(), right.sum() / sizes.sum()
    weighed = n**2 / (sizes**2).sum()
    if share in (0, 1) or weighed < 30:
        same(name, "clusters alone", problem["effective"] / n, min(n, weighed) / n, 1e-12)
        return
    answers = np.concatenate([[1.0] * int(r) + [0.0] * int(m - r) for r, m in zip(right, sizes)])
    groups = np.repeat(np.arange(len(sizes)), sizes.astype(int))
    # The correction of clusters and of records, (J / (J - 1)) ((n - 1) / (n - 1)) for one parameter.
    variance = OLS(answers, np.ones_like(answers)).fit(cov_type="cluster", cov_kwds={"groups": groups}).cov_params()[0, 0]
    residuals = right - share * sizes
    freedom = max(1, min(len(sizes) - 1, (residuals**2).sum() ** 2 / (residuals**4).sum()))
    alike = share * (1 - share) / variance
    wide = (t.ppf(problem["confidence"], n - 1) / t.ppf(problem["confidence"], freedom)) ** 2
    same(name, "effective count", problem["effective"] / n, min(n, max(alike * wide, min(weighed, alike))) / n, 1e-9)


problems = 0
for line in sys.stdin:
    problems += 1
    problem = json.loads(line)
    globals()[f"check_{problem['about']}"](problem["name"], problem)
for line in failed[:40]:
    print(line[:400])
print(f"{problems} problems, {compared} figures; {undecided} of {mistakes} mistakes needed more than five scores; largest distances:")
for figure, distance in sorted(farthest.items(), key=lambda item: -item[1]):
    print(f"  {figure:20} {distance:.1e}")
print(f"Tests: {compared - len(failed)} passed, {len(failed)} failed")
sys.exit(1 if failed else 0)
