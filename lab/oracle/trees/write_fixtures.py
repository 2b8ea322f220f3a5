"""Writes the models of packages/trees/test/fixtures, each with rows and its library's answers to them: write_fixtures.py FOLDER"""

import json
import os
import sys

import catboost
import lightgbm
import numpy as np
import xgboost

FOLDER = sys.argv[1]
NAMES = ["age", "income", "visits", "plan", "score"]
PLAN = NAMES.index("plan")


def table(seed, rows=300):
    """Decimal numbers as a CSV has them, a column with zeros, one with codes of categories, and missing values."""
    r = np.random.default_rng(seed)
    x = np.round(r.normal(size=(rows, len(NAMES))) * [10, 1000, 3, 1, 0.1], 3)
    x[:, 2] = np.where(r.random(rows) < 0.4, 0, np.round(x[:, 2]))
    x[:, PLAN] = r.integers(0, 40, rows)
    x[r.random(x.shape) < 0.1] = np.nan
    z = np.nan_to_num(x)
    sums = z[:, 0] / 10 + z[:, 1] / 1000 * (z[:, 2] > 0) + (z[:, PLAN] % 7 - 3) / 2 + 0.3 * r.normal(size=rows)
    return x, sums


def probes(x):
    """Rows of the table and hard ones: missing, zero, huge, tiny, and codes that are no known category."""
    hard = [np.full(len(NAMES), value) for value in (np.nan, 0, -0.0, 1e-36, -1e-36, 1e30, -1e30, 0.5, -0.5, 41)]
    return np.concatenate([x[:20], np.array(hard)])


def write(name, rows, answers, **facts):
    cells = [[None if np.isnan(cell) else float(cell) for cell in row] for row in rows]
    document = dict(facts, rows=cells, answers=np.asarray(answers, dtype=float).reshape(len(rows), -1).tolist())
    with open(f"{FOLDER}/{name}.answers.json", "w") as file:
        json.dump(document, file)
        file.write("\n")


def classes_of(sums, count):
    return np.searchsorted(np.quantile(sums, np.linspace(0, 1, count + 1)[1:-1]), sums)


def boosted(name, seed, label, rounds, early=False, **params):
    x, sums = table(seed)
    y = label(sums)
    has_categories = params.get("tree_method") != "exact"
    types = ["c" if name == "plan" and has_categories else "float" for name in NAMES]

    def matrix(rows, labels=None):
        return xgboost.DMatrix(rows, labels, feature_names=NAMES, feature_types=types, enable_categorical=True)

    stop = dict(evals=[(matrix(x[200:], y[200:]), "valid")], early_stopping_rounds=2) if early else {}
    params = dict(dict(max_depth=3, seed=seed, nthread=1, verbosity=0, tree_method="hist", max_cat_to_onehot=4), **params)
    model = xgboost.train(params, matrix(x[:200], y[:200]), rounds, verbose_eval=False, **stop)
    model.save_model(f"{FOLDER}/{name}")
    rows = probes(x)
    # XGBoost refuses codes that are no category.
    rows[:, PLAN] = np.where(np.abs(rows[:, PLAN]) > 1e6, np.nan, np.abs(rows[:, PLAN]))
    kept = (0, model.best_iteration + 1) if early else (0, 0)
    write(name, rows, model.predict(matrix(rows), iteration_range=kept), trees=model.num_boosted_rounds())


def xgboost_fixtures():
    boosted("xgboost-binary.json", 1, lambda s: s > 0, 8, objective="binary:logistic")
    boosted("xgboost-classes.ubj", 2, lambda s: classes_of(s, 4), 4, objective="multi:softprob", num_class=4)
    boosted("xgboost-dart.json", 3, lambda s: s > 0, 12, objective="binary:logistic", booster="dart", rate_drop=0.4, one_drop=1)
    boosted("xgboost-forest.ubj", 4, lambda s: s * 10, 2, objective="reg:squarederror", num_parallel_tree=4, subsample=0.7, gamma=50)
    boosted("xgboost-early.json", 5, lambda s: np.exp(s / 3), 60, early=True, objective="reg:gamma", eta=1, tree_method="exact", gamma=1)


def leaf_wise(name, seed, label, rounds, early=False, **params):
    x, sums = table(seed)
    y = label(sums)
    params = dict(dict(num_leaves=7, min_data_in_leaf=5, min_data_per_group=5, max_cat_to_onehot=1, seed=seed, num_threads=1, verbose=-1, deterministic=True), **params)
    given = dict(feature_name=NAMES, categorical_feature=["plan"], params=dict(verbose=-1))
    train = lightgbm.Dataset(x[:200], y[:200], **given)
    stop = dict(valid_sets=[lightgbm.Dataset(x[200:], y[200:], reference=train, **given)], callbacks=[lightgbm.early_stopping(2, verbose=False)]) if early else {}
    model = lightgbm.train(params, train, rounds, **stop)
    model.save_model(f"{FOLDER}/{name}")
    write(name, probes(x), model.predict(probes(x)), trees=model.num_trees())


def lightgbm_fixtures():
    leaf_wise("lightgbm-binary.txt", 11, lambda s: s > 0, 8, objective="binary", zero_as_missing=True)
    leaf_wise("lightgbm-classes.txt", 12, lambda s: classes_of(s, 4), 4, objective="multiclass", num_class=4)
    leaf_wise("lightgbm-dart.txt", 13, lambda s: s > 0, 12, objective="binary", boosting="dart", sigmoid=2.0)
    leaf_wise("lightgbm-forest.txt", 14, lambda s: s * 10, 5, objective="regression", boosting="rf", bagging_freq=1, bagging_fraction=0.6)
    leaf_wise("lightgbm-early.txt", 15, lambda s: s * 10, 60, early=True, objective="regression", reg_sqrt=True, use_missing=False, learning_rate=0.5)


def symmetric(name, seed, label, rounds, kind, early=False, **params):
    x, sums = table(seed)
    y = label(sums)
    params = dict(dict(depth=3, iterations=rounds, random_seed=seed, thread_count=1, verbose=0, allow_writing_files=False), **params)
    model = catboost.CatBoost(params)
    stop = dict(eval_set=catboost.Pool(x[200:], y[200:], feature_names=NAMES), early_stopping_rounds=2) if early else {}
    model.fit(catboost.Pool(x[:200], y[:200], feature_names=NAMES), **stop)
    model.save_model(f"{FOLDER}/{name}", format=name.split(".")[1])
    write(name, probes(x), model.predict(probes(x), prediction_type=kind), trees=model.tree_count_)


def catboost_fixtures():
    named = lambda s: np.where(s > 0, "stayed", "left")  # noqa: E731
    symmetric("catboost-binary.cbm", 21, named, 8, "Probability", loss_function="Logloss")
    symmetric("catboost-classes.json", 22, lambda s: classes_of(s, 4), 4, "Probability", loss_function="MultiClass", nan_mode="Max")
    symmetric("catboost-depthwise.cbm", 23, lambda s: classes_of(s, 3), 4, "Probability", loss_function="MultiClass", grow_policy="Depthwise", nan_mode="Max")
    symmetric("catboost-leafwise.json", 24, lambda s: np.round(np.exp(s / 3)), 8, "Exponent", loss_function="Poisson", grow_policy="Lossguide")
    symmetric("catboost-early.cbm", 25, lambda s: s * 10, 60, "RawFormulaVal", early=True, loss_function="RMSE", learning_rate=0.9)


os.makedirs(FOLDER, exist_ok=True)
xgboost_fixtures()
lightgbm_fixtures()
catboost_fixtures()
